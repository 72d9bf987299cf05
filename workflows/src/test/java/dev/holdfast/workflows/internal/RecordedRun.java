package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One history that is kept, recorded on a real server: what the workflow does, and where it replays
 * when Holdfast comes and goes. {@link HistoryRecorder} writes them.
 */
@SuppressWarnings("ImmutableEnumChecker") // the script is a method of this class
enum RecordedRun {
  PLAIN_OK(RecordedRun::find, true, true),
  PLAIN_FAILED(RecordedRun::findOrTellWhy, true, true),
  PLAIN_TIMED_OUT(RecordedRun::timedOut, true, true),
  FENCED_OK(RecordedRun::find, true, true),
  FENCED_REFUSED(RecordedRun::refused, true, false),
  FENCED_CAPTURED(RecordedRun::captured, true, false),
  SETTLED_1(RecordedRun::timedOut, true, false),
  SETTLED_2(RecordedRun::timedOut, true, false),
  SETTLED_3(RecordedRun::timedOut, true, false),
  SETTLED_4(RecordedRun::timedOut, true, false),
  PARKED_1(RecordedRun::findOrTellWhy, true, false),
  WAITED_2(RecordedRun::findOrTellWhy, true, false),
  WAITED_3(RecordedRun::findOrTellWhy, true, false),
  WAITED_4(RecordedRun::findOrTellWhy, true, false),
  UNDONE_2(RecordedRun::delete, true, false),
  RUN_AGAIN_3(RecordedRun::delete, true, false),
  RUN_AGAIN_4(RecordedRun::delete, true, false),
  IMPATIENT(RecordedRun::required, true, true),
  PATIENT(RecordedRun::required, true, true),
  ADDED(RecordedRun::twice, true, false),
  ADDED_AFTER_A_FAILURE(RecordedRun::twice, true, true),
  REMOVED(RecordedRun::twice, true, true);

  final Supplier<String> script;
  final boolean replaysWith;
  final boolean replaysWithout;

  RecordedRun(Supplier<String> script, boolean replaysWith, boolean replaysWithout) {
    this.script = script;
    this.replaysWith = replaysWith;
    this.replaysWithout = replaysWithout;
  }

  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".json";
  }

  /** The version of the settlement under which it was recorded; none: the newest. */
  int version() {
    char last = name().charAt(name().length() - 1);
    return Character.isDigit(last) ? Character.digit(last, 10) : Integer.MAX_VALUE;
  }

  private static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  private static String findOrTellWhy() {
    try {
      return find();
    } catch (ActivityFailure e) {
      return why(e) + " " + Bench.stub().plain("instead");
    }
  }

  private static String timedOut() {
    ActivityOptions options =
        ActivityOptions.newBuilder(Bench.options())
            .setStartToCloseTimeout(Duration.ofSeconds(1))
            .build();
    try {
      return "found " + Workflow.newActivityStub(Exports.class, options).find("hangs");
    } catch (ActivityFailure e) {
      return why(e) + " " + Bench.stub().plain("instead");
    }
  }

  private static String refused() {
    try {
      return String.valueOf(Bench.stub().find(" "));
    } catch (ApplicationFailure e) {
      return e.getType() + " " + Bench.stub().plain("instead");
    }
  }

  private static String captured() {
    var found = FencedActivities.call(Bench.stub()::find, "e-1");
    FencedActivities.requireCompleted(found.ref());
    return Bench.stub().share("s-1", found.ref());
  }

  private static String delete() {
    try {
      Bench.stub().delete("e-1");
      return "deleted";
    } catch (IOException e) {
      throw Workflow.wrap(e);
    } catch (ActivityFailure e) {
      return why(e) + " " + Bench.stub().plain("instead");
    }
  }

  private static String required() {
    try {
      FencedActivities.requireCompleted(Refs.ref("Export", "e-1"));
      return Bench.stub().plain("open");
    } catch (ApplicationFailure e) {
      return e.getType() + " " + Bench.stub().plain("instead");
    }
  }

  /** The worker is exchanged while it sleeps. */
  private static String twice() {
    String first = findOrTellWhy();
    Workflow.sleep(Duration.ofSeconds(6));
    return first + ", " + findOrTellWhy();
  }

  private static String why(ActivityFailure e) {
    return e.getCause() instanceof ApplicationFailure a ? a.getType() : "late";
  }

  /** A worker's word that a person must decide. */
  static ApplicationFailure parked() {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.OUTCOME_UNKNOWN, "open_attempt", KeyDigest.of("e-1"), "parked");
  }
}
