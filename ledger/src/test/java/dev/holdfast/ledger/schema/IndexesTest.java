package dev.holdfast.ledger.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Updates of the plain path stay heap-only as long as no index, and no predicate of one, sees them.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IndexesTest {
  private static final String STATISTICS =
      "autovacuum_analyze_threshold=500,autovacuum_vacuum_threshold=500";

  private final EmbeddedLedger ledger;

  IndexesTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void an_operation_is_indexed_by_what_the_plain_path_leaves_alone() {
    assertThat(indexedColumns("operation"))
        .containsExactlyInAnyOrder(
            "operation_pk btree scope",
            "operation_pk btree operation_id",
            "operation_awaits_attention btree attention_at",
            "operation_by_gate_receipt gin gate_receipts",
            // block ranges alone leave an update heap-only
            "operation_claimed brin claimed_at");
  }

  @Test
  void a_resource_is_indexed_by_its_name_alone() {
    assertThat(indexedColumns("resource"))
        .containsExactlyInAnyOrder("resource_pk btree scope", "resource_pk btree resource_id");
  }

  @Test
  void a_receipt_costs_one_index_entry() {
    assertThat(indexedColumns("receipt"))
        .containsExactlyInAnyOrder(
            "receipt_pk btree scope",
            "receipt_pk btree operation_id",
            "receipt_pk btree fencing_token");
  }

  @Test
  void pages_keep_room_for_new_versions_and_statistics_wait_for_rows() {
    assertThat(
            ledger
                .sql()
                .fetch(
                    "select relname || ' ' || array_to_string(reloptions, ',') as room from"
                        + " pg_class where relnamespace = 'holdfast'::regnamespace and relkind ="
                        + " 'r' and reloptions is not null")
                .getValues("room", String.class))
        .containsExactlyInAnyOrder(
            "operation fillfactor=65," + STATISTICS,
            "resource fillfactor=50," + STATISTICS,
            "receipt autovacuum_analyze_threshold=500",
            "binding autovacuum_analyze_threshold=500");
  }

  /** Columns that stand in a key or a predicate, each behind its index and that one's kind. */
  private List<String> indexedColumns(String table) {
    return ledger
        .sql()
        .fetch(
            """
            select distinct c.relname || ' ' || m.amname || ' ' || a.attname as indexed
            from pg_index i
            join pg_class c on c.oid = i.indexrelid
            join pg_am m on m.oid = c.relam
            join pg_attribute a on a.attrelid = i.indrelid and a.attnum > 0
              and (a.attnum = any (i.indkey::int2[])
                or pg_get_expr(i.indpred, i.indrelid) like '%' || a.attname || '%')
            where i.indrelid = ('holdfast.' || ?)::regclass
            """,
            table)
        .getValues("indexed", String.class);
  }
}
