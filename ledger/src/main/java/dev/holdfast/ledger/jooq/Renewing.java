package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Prolongs leases, the whole of a keeper's tick in a round trip. Safe for use by many threads. */
final class Renewing {
  private final LedgerConnection connection;
  private final LedgerOptions options;
  private final RenewStatement own;
  private final RenewStatement shared;

  Renewing(LedgerConnection connection, LedgerSql sql, LedgerOptions options) {
    this.connection = connection;
    this.options = options;
    this.own = new RenewStatement(sql, LeaseRows.OWN);
    this.shared = new RenewStatement(sql, LeaseRows.SHARED);
  }

  Set<ClaimId> renew(Collection<? extends HeldLease> leases, Duration leaseFor) {
    if (!leaseFor.isPositive()) {
      throw new IllegalArgumentException("a lease is renewed for a positive time: " + leaseFor);
    }
    List<HeldLease> onOwn = new ArrayList<>();
    List<HeldLease> onShared = new ArrayList<>();
    leases.forEach(
        lease -> (lease.reservation().resource().isShared() ? onShared : onOwn).add(lease));
    Set<ClaimId> renewed = new HashSet<>(renew(own, onOwn, leaseFor));
    renewed.addAll(renew(shared, onShared, leaseFor));
    return Set.copyOf(renewed);
  }

  private Set<ClaimId> renew(RenewStatement statement, List<HeldLease> leases, Duration leaseFor) {
    if (leases.isEmpty()) {
      return Set.of();
    }
    Duration patience = options.patience(leaseFor);
    long sent = System.nanoTime();
    List<Boolean> answers =
        connection.autocommit(
            patience,
            borrowed ->
                statement.execute(
                    borrowed, leases, leaseFor, () -> StatementSettings.bindings(patience)));
    LocalDeadline until = LocalDeadline.after(sent, leaseFor);
    Set<ClaimId> renewed = new HashSet<>();
    for (int i = 0; i < leases.size(); i++) {
      if (answers.get(i)) {
        Mint.renewed(leases.get(i), until);
        renewed.add(leases.get(i).claimId());
      }
    }
    return renewed;
  }
}
