package dev.holdfast.workflows;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** That plain references fit is shown by this class compiling. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FencedActivitiesTest {
  /** One name for values and for nothing, with checked exceptions, of every arity. */
  static final class Overloaded {
    String work(String a) throws IOException {
      return a;
    }

    int work(String a, int b) throws IOException, InterruptedException {
      return a.length() + b;
    }

    void work(String a, int b, long c) throws IOException {}

    void work(String a, int b, long c, String d) throws Exception {}

    String work(String a, int b, long c, String d, String e) {
      return a + b + c + d + e;
    }

    void work(String a, int b, long c, String d, String e, String f) throws IOException {}
  }

  private final Overloaded activity = new Overloaded();

  @Test
  void references_to_overloaded_methods_with_checked_exceptions_fit_and_need_a_workflow() {
    assertThatThrownBy(() -> FencedActivities.call(activity::work, "a")).isNotNull();
    assertThatThrownBy(() -> FencedActivities.call(activity::work, "a", 1)).isNotNull();
    assertThatThrownBy(() -> FencedActivities.run(activity::work, "a", 1, 2L)).isNotNull();
    assertThatThrownBy(() -> FencedActivities.run(activity::work, "a", 1, 2L, "d")).isNotNull();
    assertThatThrownBy(() -> FencedActivities.call(activity::work, "a", 1, 2L, "d", "e"))
        .isNotNull();
    assertThatThrownBy(() -> FencedActivities.run(activity::work, "a", 1, 2L, "d", "e", "f"))
        .isNotNull();
    assertThatThrownBy(() -> FencedActivities.callAsync(activity::work, "a", 1)).isNotNull();
    assertThatThrownBy(() -> FencedActivities.runAsync(activity::work, "a", 1, 2L)).isNotNull();
  }
}
