package dev.holdfast.activities.bed;

import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import io.temporal.activity.Activity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An activity whose upstream honours no key but can be asked; the test decides both answers. */
public final class AskableShares implements ShareActivities, Reconciles<String> {
  /** Longer than any request of the test is under way. */
  public static final Duration HORIZON = Duration.ofMinutes(5);

  private final Effect effect;
  private final Question question;
  private final boolean fences;
  private final List<Inquiry> asked = new CopyOnWriteArrayList<>();
  private final List<String> sent = new CopyOnWriteArrayList<>();

  /** What the activity does. */
  @FunctionalInterface
  public interface Effect {
    @Nullable String run(AskableShares shares, String request) throws Exception;
  }

  /** What the upstream says when it is asked. */
  @FunctionalInterface
  public interface Question {
    Reconciled<String> answer(Inquiry inquiry) throws Exception;
  }

  private AskableShares(Effect effect, Question question, boolean fences) {
    this.effect = effect;
    this.question = question;
    this.fences = fences;
  }

  public static AskableShares of(Effect effect, Question question) {
    return new AskableShares(effect, question, false);
  }

  /** The same, of an upstream that refuses older tokens from the question on. */
  public AskableShares fenced() {
    return new AskableShares(effect, question, true);
  }

  /** Sends one request; the upstream gives the effect this id, where it gives ids. */
  public String send(String request, @Nullable String commitment) {
    sent.add(request);
    String done = "did " + request;
    Evidence<String> evidence =
        Evidence.of(answer -> 200, answer -> answer.getBytes(StandardCharsets.UTF_8));
    return FencedEffect.current()
        .dispatch(
            key -> done, commitment == null ? evidence : evidence.withCommitment(a -> commitment));
  }

  /** What was sent. */
  public List<String> sent() {
    return List.copyOf(sent);
  }

  /** How the upstream was asked. */
  public List<Inquiry> asked() {
    return List.copyOf(asked);
  }

  @Override
  public @Nullable String share(String key, String request) {
    try {
      return effect.run(this, request);
    } catch (Exception e) {
      throw Activity.wrap(e);
    }
  }

  @Override
  public Reconciled<String> reconcile(Inquiry inquiry) throws Exception {
    asked.add(inquiry);
    return question.answer(inquiry);
  }

  @Override
  public boolean upstreamFences() {
    return fences;
  }
}
