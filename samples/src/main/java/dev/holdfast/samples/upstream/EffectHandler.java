package dev.holdfast.samples.upstream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Answers the requests for effects: one effect per key, however the script says it is told. */
final class EffectHandler implements HttpHandler {

  private static final Hold NONE = () -> {};

  private final Work work;
  private final Script script;
  private final EffectLog log;
  private final KeyBook keys = new KeyBook();

  EffectHandler(Work work, Script script, EffectLog log) {
    this.work = work;
    this.script = script;
    this.log = log;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    // closing an exchange that was not answered closes the connection
    try (exchange) {
      Answer answer = answer(exchange);
      if (answer != null) {
        answer.send(exchange);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Answer answer(HttpExchange exchange) throws IOException, InterruptedException {
    if (!exchange.getRequestMethod().equals("POST")) {
      return Answer.problem(405, "only POST");
    }
    if (!exchange.getRequestURI().getPath().equals(work.path())) {
      return Answer.problem(404, "post to " + work.path());
    }
    try {
      Posted request = Posted.read(exchange);
      log.requested(request);
      return behave(script.next(), request);
    } catch (IllegalArgumentException e) {
      return Answer.problem(400, String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Answer behave(Behaviour behaviour, Posted request) throws InterruptedException {
    return switch (behaviour) {
      case Behaviour.Normal() -> serve(request, NONE);
      case Behaviour.StayInProgress(Hold hold) -> serve(request, hold);
      case Behaviour.AnswerLate(Hold hold) -> {
        Answer answer = serve(request, NONE);
        hold.await();
        yield answer;
      }
      case Behaviour.LoseAnswer() -> {
        serve(request, NONE);
        yield null;
      }
      case Behaviour.CutConnection() -> null;
      case Behaviour.LieAboutDigest() -> serve(request, NONE).lying();
      case Behaviour.Status(int code, boolean effect) -> {
        if (effect) {
          serve(request, NONE);
        }
        yield Answer.problem(code, "as told");
      }
    };
  }

  private Answer serve(Posted request, Hold hold) throws InterruptedException {
    return switch (keys.begin(request.key(), request.bodyDigest())) {
      case KeyBook.Finding.Fresh() -> perform(request, hold);
      case KeyBook.Finding.Stored(Answer answer) -> answer;
      case KeyBook.Finding.InProgress() -> Answer.problem(409, "the key is still in progress");
      case KeyBook.Finding.OtherBody() -> Answer.problem(422, "the key had another body");
    };
  }

  private Answer perform(Posted request, Hold hold) throws InterruptedException {
    boolean done = false;
    try {
      hold.await();
      Answer answer = Answer.of(201, work.perform(request.body()));
      log.done(request);
      keys.complete(request.key(), request.bodyDigest(), answer);
      done = true;
      return answer;
    } finally {
      if (!done) {
        keys.abandon(request.key());
      }
    }
  }
}
