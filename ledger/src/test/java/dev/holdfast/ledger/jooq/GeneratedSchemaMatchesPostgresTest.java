package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.jooq.generated.DefaultSchema;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Schema;
import org.jooq.Sequence;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The generator never saw a PostgreSQL; here its tables meet the migrated ones, column by column.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GeneratedSchemaMatchesPostgresTest {
  private static final String HISTORY_OF_FLYWAY = "holdfast_schema_history";
  // PostgreSQL alone can index its digest
  private static final Set<String> KEY_UNKNOWN_TO_THE_GENERATOR = Set.of("quarantine_warning");

  private final EmbeddedLedger ledger;

  GeneratedSchemaMatchesPostgresTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void every_column_has_the_same_place_type_length_and_nullability() {
    assertThat(columns(migrated(ledger.sql())))
        .containsExactlyElementsOf(columns(DefaultSchema.DEFAULT_SCHEMA));
  }

  @Test
  void every_primary_key_has_the_same_name_and_columns() {
    Map<String, String> migrated = primaryKeys(migrated(ledger.sql()));
    migrated.keySet().removeAll(KEY_UNKNOWN_TO_THE_GENERATOR);

    assertThat(migrated).isEqualTo(primaryKeys(DefaultSchema.DEFAULT_SCHEMA));
  }

  @Test
  void the_same_columns_are_numbered_by_the_database() {
    assertThat(identities(migrated(ledger.sql())))
        .isEqualTo(identities(DefaultSchema.DEFAULT_SCHEMA));
  }

  @Test
  void the_sequence_of_the_receipts_exists() {
    // the others belong to identity columns
    assertThat(migrated(ledger.sql()).getSequences().stream().map(Sequence::getName))
        .containsAll(
            DefaultSchema.DEFAULT_SCHEMA.getSequences().stream().map(Sequence::getName).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "alter table receipt add column surplus integer",
        "alter table receipt alter column effect_id type varchar(254)",
        "alter table receipt alter column effect_id drop not null",
        "alter table receipt alter column epoch type bigint",
        "create table surplus (id integer)"
      })
  void a_difference_would_be_seen(String drift) throws SQLException {
    try (Connection connection = ledger.superuser()) {
      connection.setAutoCommit(false);
      DSLContext sql = DSL.using(connection, SQLDialect.POSTGRES);
      sql.execute(drift);

      assertThat(columns(migrated(sql))).isNotEqualTo(columns(DefaultSchema.DEFAULT_SCHEMA));
      connection.rollback();
    }
  }

  private static Schema migrated(DSLContext sql) {
    return sql.meta().getSchemas(EmbeddedLedger.SCHEMA).getFirst();
  }

  private List<String> columns(Schema schema) {
    List<String> columns = new ArrayList<>();
    for (Table<?> table : tables(schema)) {
      for (Field<?> column : table.fields()) {
        columns.add(table.getName() + "." + describe(column));
      }
    }
    return columns;
  }

  private String describe(Field<?> column) {
    DSLContext postgres = ledger.sql();
    DataType<?> type = column.getDataType();
    return column.getName()
        + " "
        // six digits are what PostgreSQL keeps unless told otherwise
        + type.getCastTypeName(postgres.configuration()).replace("timestamp(6)", "timestamp")
        + (type.nullable() ? "" : " not null");
  }

  private static Map<String, String> primaryKeys(Schema schema) {
    Map<String, String> keys = new TreeMap<>();
    for (Table<?> table : tables(schema)) {
      UniqueKey<?> key = table.getPrimaryKey();
      if (key != null) {
        keys.put(
            table.getName(),
            key.getName()
                + key.getFields().stream()
                    .map(TableField::getName)
                    .collect(Collectors.joining(", ", " (", ")")));
      }
    }
    return keys;
  }

  private static List<String> identities(Schema schema) {
    return tables(schema).stream()
        .map(Table::getIdentity)
        .filter(Objects::nonNull)
        .map(identity -> identity.getTable().getName() + "." + identity.getField().getName())
        .sorted()
        .toList();
  }

  private static List<Table<?>> tables(Schema schema) {
    return schema.getTables().stream()
        .filter(table -> !table.getName().equals(HISTORY_OF_FLYWAY))
        .sorted(Comparator.comparing(Table::getName))
        .collect(Collectors.toList());
  }
}
