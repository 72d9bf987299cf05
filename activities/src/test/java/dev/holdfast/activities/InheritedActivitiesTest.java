package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.worker.TypeAlreadyRegisteredException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two activity interfaces inherit one fenced method. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InheritedActivitiesTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  InheritedActivitiesTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** What both can do. */
  public interface Common {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String work(@OperationKey String key, String request);
  }

  /** One of two that clash. */
  @ActivityInterface
  public interface Paper extends Common {}

  /** The other one. */
  @ActivityInterface
  public interface Ink extends Common {}

  /** One of two that do not. */
  @ActivityInterface(namePrefix = "Red_")
  public interface Red extends Common {}

  /** The other one. */
  @ActivityInterface(namePrefix = "Blue_")
  public interface Blue extends Common {}

  /** The method has its body in the interface, as a Java default or a Kotlin method has. */
  @ActivityInterface
  public interface Ready {
    Upstream UPSTREAM = new Upstream();

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    default String greet(@OperationKey String key, String request) {
      return UPSTREAM.dispatch(request);
    }
  }

  private record PaperImpl(Upstream upstream) implements Paper {
    @Override
    public String work(String key, String request) {
      return upstream.dispatch(request);
    }
  }

  private record InkImpl(Upstream upstream) implements Ink {
    @Override
    public String work(String key, String request) {
      return upstream.dispatch(request);
    }
  }

  private record RedImpl(Upstream upstream) implements Red {
    @Override
    public String work(String key, String request) {
      return upstream.dispatch("red " + request);
    }
  }

  private record BlueImpl(Upstream upstream) implements Blue {
    @Override
    public String work(String key, String request) {
      return upstream.dispatch("blue " + request);
    }
  }

  private static final class ReadyImpl implements Ready {}

  private String call(String type, String key) {
    return String.valueOf(bed.workflow(UntypedWorkflow.class).call(type, key, "x", 1));
  }

  private List<String> completed(String key) {
    return ledger
        .sql()
        .select(OPERATION.OPERATION_ID)
        .from(OPERATION)
        .where(OPERATION.OPERATION_ID.endsWith(":" + key))
        .and(OPERATION.STATE.eq("completed"))
        .orderBy(OPERATION.OPERATION_ID)
        .fetch(OPERATION.OPERATION_ID);
  }

  // case E3
  @Test
  void without_a_prefix_they_clash_before_the_worker_starts() {
    PaperImpl paper = new PaperImpl(upstream);
    InkImpl ink = new InkImpl(upstream);

    assertThatThrownBy(() -> bed.start(WorkerBed.plugin(ledger.dataSource()), paper, ink))
        .isInstanceOf(TypeAlreadyRegisteredException.class)
        .hasMessageContaining("Work");
  }

  // case E3
  @Test
  void with_a_prefix_the_same_key_is_an_operation_of_each() {
    bed.startApart(ledger.dataSource(), new RedImpl(upstream), new BlueImpl(upstream));

    assertThat(call("Red_Work", "both")).isEqualTo("did red x");
    assertThat(call("Blue_Work", "both")).isEqualTo("did blue x");
    assertThat(call("Red_Work", "both")).isEqualTo("did red x");

    assertThat(completed("both")).containsExactly("Blue_Work:both", "Red_Work:both");
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(2);
  }

  // case E3
  @Test
  void a_method_with_its_body_in_the_interface_is_protected() {
    bed.startApart(ledger.dataSource(), new ReadyImpl());

    assertThat(call("Greet", "default")).isEqualTo("did x");
    assertThat(call("Greet", "default")).isEqualTo("did x");

    assertThat(completed("default")).containsExactly("Greet:default");
    assertThat(Ready.UPSTREAM.requests()).isEqualTo(1);
  }
}
