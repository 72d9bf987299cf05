package dev.holdfast.ledger.interleaving;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rows as they stand, and time that passes for one lease; plain SQL, past the code under test.
 */
final class RawLedger {
  private final DataSource source;

  /** One claim that was granted. */
  record ClaimRow(String claim, long token, Instant claimedAt, boolean closed) {}

  /** A receipt. */
  record ReceiptRow(long number, String claim, long token, String effect, Instant committedAt) {}

  /** An operation with all that belongs to it; claims in the order of their instants. */
  record Rows(
      String state,
      @Nullable String parked,
      int openAttempts,
      int pendingEvidence,
      long receiptNumber,
      List<ClaimRow> claims,
      List<ReceiptRow> receipts,
      List<String> stored) {}

  RawLedger(DataSource source) {
    this.source = source;
  }

  boolean isCompleted(String operation) {
    return !query(
            "select 1 from holdfast.operation where operation_id = ? and state = 'completed'",
            row -> 1,
            operation)
        .isEmpty();
  }

  /** The lease of this claim is over, if it is still there. */
  boolean runOut(String operation, String claim) {
    return !query(
            "update holdfast.operation set expires_at = holdfast.ledger_clock() where operation_id"
                + " = ? and claim_id = cast(? as uuid) and not released and expires_at >"
                + " holdfast.ledger_clock() returning 1",
            row -> 1,
            operation,
            claim)
        .isEmpty();
  }

  /** Whoever holds a lease of it holds it no more. */
  void runOut(String operation) {
    query(
        "update holdfast.operation set expires_at = holdfast.ledger_clock() where operation_id = ?"
            + " and state = 'in_progress' and expires_at > holdfast.ledger_clock() returning 1",
        row -> 1,
        operation);
  }

  Rows rows(String operation) {
    List<ClaimRow> claims =
        query(
            "select claim_id, fencing_token, claimed_at, exists (select from holdfast.observation o"
                + " where o.operation_id = a.operation_id and o.claim_id = a.claim_id and"
                + " o.closes_attempt) or exists (select from holdfast.receipt r where"
                + " r.operation_id = a.operation_id and r.claim_id = a.claim_id) from (select"
                + " operation_id, claim_id, fencing_token, claimed_at from holdfast.attempt union"
                + " all select operation_id, claim_id, fencing_token, claimed_at from"
                + " holdfast.operation) a where operation_id = ? order by claimed_at,"
                + " fencing_token",
            row ->
                new ClaimRow(row.getString(1), row.getLong(2), instant(row, 3), row.getBoolean(4)),
            operation);
    List<ReceiptRow> receipts =
        query(
            "select receipt_number, claim_id, fencing_token, effect_id, committed_at from"
                + " holdfast.receipt where operation_id = ?",
            row ->
                new ReceiptRow(
                    row.getLong(1),
                    row.getString(2),
                    row.getLong(3),
                    row.getString(4),
                    instant(row, 5)),
            operation);
    List<String> stored =
        query(
            "select claim_id from holdfast.observation where operation_id = ? and kind ="
                + " 'succeeded' and disposition = 'pending'",
            row -> row.getString(1),
            operation);
    return query(
            "select state, parked_reason, open_attempts, pending_evidence, coalesce(receipt_number,"
                + " 0) from holdfast.operation where operation_id = ?",
            row ->
                new Rows(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3),
                    row.getInt(4),
                    row.getLong(5),
                    claims,
                    receipts,
                    stored),
            operation)
        .getFirst();
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private interface Reading<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> List<T> query(String sql, Reading<T> reading, String... parameters) {
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(reading.of(row));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
