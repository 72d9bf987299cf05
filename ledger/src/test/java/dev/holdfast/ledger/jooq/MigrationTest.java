package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MigrationTest {
  private static DSLContext sql(EmbeddedLedger empty) {
    return DSL.using(empty.dataSource(), SQLDialect.POSTGRES);
  }

  @Test // case I23
  void of_many_who_start_together_one_migrates_and_all_find_it_done() throws Exception {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      List<List<Boolean>> answers =
          Contenders.race(
              8,
              3,
              (contender, round) -> {
                String schema = "round_" + round;
                JooqLedger.migrate(empty.dataSource(), schema);
                JooqLedger ledger =
                    JooqLedger.open(empty.dataSource(), LedgerOptions.standard().inSchema(schema));
                Asking.about("ready-" + contender).granted(ledger);
                return true;
              });

      assertThat(answers).allMatch(ofRound -> ofRound.size() == 8);
      assertThat(
              sql(empty)
                  .fetchSingle("select count(*) from round_0.holdfast_schema_history where success")
                  .get(0, Integer.class))
          .isEqualTo(
              sql(empty)
                  .fetchSingle("select count(distinct script) from round_0.holdfast_schema_history")
                  .get(0, Integer.class));
    }
  }

  @Test // case I23
  void two_schemas_may_be_migrated_at_once() throws Exception {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      Contenders.race(
          4,
          1,
          (contender, round) -> {
            JooqLedger.migrate(empty.dataSource(), "ledger_" + contender % 2);
            return true;
          });

      JooqLedger.open(empty.dataSource(), LedgerOptions.standard().inSchema("ledger_0"));
      JooqLedger.open(empty.dataSource(), LedgerOptions.standard().inSchema("ledger_1"));
    }
  }

  @Test // case I17
  void a_pool_of_one_is_enough_and_its_connection_goes_back_as_it_came() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      HikariDataSource pool = empty.pool(1);
      DSLContext over = DSL.using(pool, SQLDialect.POSTGRES);
      Object before = over.fetchSingle("show search_path").get(0);

      JooqLedger.migrate(pool);
      JooqLedger.migrate(pool);

      assertThat(over.fetchSingle("show search_path").get(0)).isEqualTo(before);
      Asking.about("after").granted(JooqLedger.open(pool, LedgerOptions.standard()));
    }
  }

  @Test
  void what_cannot_be_migrated_is_left_as_it_was() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      sql(empty).execute("create schema holdfast");
      sql(empty).execute("create table holdfast.resource (theirs int)");

      assertThatThrownBy(() -> JooqLedger.migrate(empty.dataSource()))
          .isInstanceOf(LedgerRefusedException.class);

      assertThat(
              sql(empty)
                  .fetchSingle("select count(*) from pg_tables where schemaname = 'holdfast'")
                  .get(0))
          .isEqualTo(1L);
    }
  }

  @Test
  void a_database_that_nobody_migrated_is_refused_with_the_cure() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      assertThatThrownBy(() -> JooqLedger.open(empty.dataSource(), LedgerOptions.standard()))
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageContaining("JooqLedger.migrate");
    }
  }

  @Test
  void a_server_that_is_down_is_unavailable() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      PGSimpleDataSource nowhere = empty.dataSource();
      nowhere.setPortNumbers(new int[] {1});

      assertThatThrownBy(() -> JooqLedger.migrate(nowhere))
          .isInstanceOf(LedgerUnavailableException.class);
      assertThatThrownBy(() -> JooqLedger.open(nowhere, LedgerOptions.standard()))
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("cannot be reached");
    }
  }
}
