package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.RoundTrip;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** An act that is ordered once more. */
class RepeatedActTest extends CliBed {
  private static final Pattern ACT_ID = Pattern.compile("--act-id=([-0-9a-f]{36})");

  RepeatedActTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private String[] resolving(String jdbcUrl, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "resolve",
                "--jdbc-url=" + jdbcUrl,
                "--scope=tenant",
                document.operation().text(),
                "--did-not-happen",
                "--actor=ann",
                "--reason=asked by phone",
                "--no-signal"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static boolean isCommit(RoundTrip trip) {
    return trip.statements().stream().anyMatch("commit"::equalsIgnoreCase);
  }

  /** The ledger commits the act, and is out of reach before it says so. */
  private Run losingTheAnswer(String... more) throws Exception {
    return losingTheAnswer(url -> resolving(url, more));
  }

  private Run losingTheAnswer(Function<String, String[]> order) throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    CompletableFuture<Run> run;
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      proxy.disturbNext(RepeatedActTest::isCommit, new Disturbance.HoldAnswer(answer));
      String url = ledger.jdbcUrl().replace(":" + ledger.port() + "/", ":" + proxy.port() + "/");
      run = CompletableFuture.supplyAsync(() -> bare(order.apply(url)));
      await().atMost(Duration.ofSeconds(30)).until(proxy::isSpent);
    } finally {
      answer.countDown();
    }
    return run.get(1, TimeUnit.MINUTES);
  }

  @Test
  void after_a_lost_answer_it_names_the_id_under_which_the_act_is_done_once() throws Exception {
    parkedPastItsHorizon().insert();

    Run lost = losingTheAnswer();

    assertThat(lost.code()).isEqualTo(5);
    Matcher printed = ACT_ID.matcher(lost.err());
    assertThat(printed.find()).as(lost.err()).isTrue();
    assertThat(lost.out()).contains(printed.group(1));
    Run again = bare(resolving(ledger.jdbcUrl(), printed.group()));
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).contains(printed.group(1), "before     unknown", "parked");
    assertThat(story().acts())
        .singleElement()
        .satisfies(act -> assertThat(act.id()).hasToString(printed.group(1)));
  }

  @Test
  void so_it_is_with_a_rotation() throws Exception {
    Run lost = losingTheAnswer(url -> rotating(url));

    assertThat(lost.code()).isEqualTo(5);
    Matcher printed = ACT_ID.matcher(lost.err());
    assertThat(printed.find()).as(lost.err()).isTrue();
    assertThat(lost.out()).contains(printed.group(1));
    Run again = bare(rotating(ledger.jdbcUrl(), printed.group()));
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).contains("generation  1");
  }

  private static String[] rotating(String jdbcUrl, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "rotate",
                "--jdbc-url=" + jdbcUrl,
                "--scope=tenant",
                "lost-mandate",
                "--expected=0",
                "--actor=ann",
                "--reason=renewed"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void after_a_lost_answer_a_script_reads_the_id_and_that_nobody_knows() throws Exception {
    parkedPastItsHorizon().insert();

    Run lost = losingTheAnswer("--output=json");

    assertThat(lost.code()).isEqualTo(5);
    JsonNode told = new ObjectMapper().readTree(lost.out());
    assertThat(told.get("done").isNull()).isTrue();
    assertThat(story().acts())
        .singleElement()
        .satisfies(act -> assertThat(act.id()).hasToString(told.get("act").asText()));
  }

  @Test
  void under_a_fresh_id_it_is_another_act() {
    parkedPastItsHorizon().insert();
    assertThat(bare(resolving(ledger.jdbcUrl())).code()).isZero();

    assertThat(bare(resolving(ledger.jdbcUrl())).code()).isEqualTo(1);
  }
}
