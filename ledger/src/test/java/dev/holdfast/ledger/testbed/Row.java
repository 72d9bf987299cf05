package dev.holdfast.ledger.testbed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/**
 * One row that a test wants to find, with a value for every column that needs one. The schema's
 * checks hold for it; its triggers do not, so that it may stand in any state.
 */
public final class Row {
  private final EmbeddedLedger ledger;
  private final Table<Record> table;
  private final Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
  private final List<Consumer<DSLContext>> companions = new ArrayList<>();

  Row(EmbeddedLedger ledger, Table<Record> table) {
    this.ledger = ledger;
    this.table = table;
  }

  /** Sets a column, whatever it was before. */
  public <T> Row with(Field<T> column, @Nullable T value) {
    values.put(column, value);
    return this;
  }

  /** What is inserted after it, in the same transaction. */
  Row and(Consumer<DSLContext> companion) {
    companions.add(companion);
    return this;
  }

  /** Inserts it, and what belongs to it, in one transaction. */
  public void insert() {
    ledger
        .sql()
        .transaction(
            transaction -> {
              DSLContext sql = transaction.dsl();
              sql.execute("set local session_replication_role = replica");
              sql.insertInto(table).set(values).execute();
              companions.forEach(companion -> companion.accept(sql));
            });
  }
}
