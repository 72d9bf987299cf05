package dev.holdfast.activities.internal;

import static dev.holdfast.activities.internal.HttpVerdict.REFUSED;
import static dev.holdfast.activities.internal.HttpVerdict.REJECTED;
import static dev.holdfast.activities.internal.HttpVerdict.SUCCEEDED;
import static dev.holdfast.activities.internal.HttpVerdict.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.AnswerRules;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpVerdictTest {
  @Test
  void every_final_status_has_the_verdict_of_its_row() {
    Set<Integer> rejected = Set.of(400, 402, 404, 410, 422);
    Set<Integer> refused = Set.of(401, 403, 407, 429);
    for (int status = 200; status <= 599; status++) {
      HttpVerdict expected =
          status <= 299
              ? SUCCEEDED
              : rejected.contains(status) ? REJECTED : refused.contains(status) ? REFUSED : UNKNOWN;
      assertThat(AnswerTable.STANDARD.verdict(status)).as("%d", status).isEqualTo(expected);
    }
  }

  @Test
  void a_moved_status_leaves_the_others_where_they_were() {
    AnswerTable table = AnswerTable.STANDARD.move(SUCCEEDED, 409, 208).move(UNKNOWN, 404);

    assertThat(table.verdict(409)).isEqualTo(SUCCEEDED);
    assertThat(table.verdict(404)).isEqualTo(UNKNOWN);
    assertThat(table.verdict(410)).isEqualTo(REJECTED);
    assertThat(AnswerTable.STANDARD.verdict(404)).isEqualTo(REJECTED);
  }

  @Test
  void what_is_no_final_status_cannot_be_moved() {
    for (int status : new int[] {-1, 0, 100, 199, 600}) {
      assertThatThrownBy(() -> AnswerRules.standard().succeeded(status))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
