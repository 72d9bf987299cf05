package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;

/** Lets another process count the effects and tell the upstream how to behave. */
final class ControlHandler {

  private final Script script;
  private final EffectLog log;

  ControlHandler(Script script, EffectLog log) {
    this.script = script;
    this.log = log;
  }

  void effects(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean get = exchange.getRequestMethod().equals("GET");
      (get ? Answer.of(200, log.summary()) : Answer.problem(405, "only GET")).send(exchange);
    }
  }

  void behaviour(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      Answer answer =
          switch (exchange.getRequestMethod()) {
            case "POST" -> told(new String(body, UTF_8));
            case "DELETE" -> calmed();
            default -> Answer.problem(405, "only POST and DELETE");
          };
      answer.send(exchange);
    }
  }

  private Answer told(String body) {
    try {
      FlatJson order = FlatJson.parse(body);
      Behaviour behaviour = behaviour(order);
      int times = order.integer("times", 1);
      script.add(Collections.nCopies(times, behaviour));
      return Answer.of(200, FlatJson.of("behaviour", order.string("behaviour"), "times", times));
    } catch (IllegalArgumentException e) {
      return Answer.problem(400, String.valueOf(e.getMessage()));
    }
  }

  private Answer calmed() {
    script.clear();
    return Answer.of(200, FlatJson.of("behaviour", "normal"));
  }

  private static Behaviour behaviour(FlatJson order) {
    return switch (order.string("behaviour")) {
      case "normal" -> new Behaviour.Normal();
      case "answer-late" -> new Behaviour.AnswerLate(hold(order));
      case "stay-in-progress" -> new Behaviour.StayInProgress(hold(order));
      case "lose-answer" -> new Behaviour.LoseAnswer();
      case "cut-connection" -> new Behaviour.CutConnection();
      case "lie-about-digest" -> new Behaviour.LieAboutDigest();
      case "status" -> new Behaviour.Status(order.integer("code"), order.flag("effect"));
      default -> throw new IllegalArgumentException("no such behaviour");
    };
  }

  private static Hold hold(FlatJson order) {
    return new Hold.For(Duration.ofMillis(order.integer("millis")));
  }
}
