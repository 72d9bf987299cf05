package dev.holdfast.cli;

import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.SettledFailure;
import java.util.List;
import java.util.function.Function;

/** An operation's story as it is printed: whom, when and by which digests, never what. */
final class StoryPage {
  private StoryPage() {}

  static Page of(OperationStory story) {
    return head(story)
        .with("attempts", rows(story.attempts(), StoryPage::attempt))
        .with("observations", rows(story.observations(), StoryPage::seen))
        .with("receipts", rows(story.receipts(), StoryPage::proof))
        .with("acts", rows(story.acts(), StoryPage::act))
        .with("changes", rows(story.changes(), StoryPage::change));
  }

  private static <T> List<Page.Row> rows(List<T> of, Function<T, Page.Row> row) {
    return of.stream().map(row).toList();
  }

  private static Page head(OperationStory story) {
    OperationView operation = story.operation();
    SettledFailure failure = operation.failure();
    return new Page()
        .with("scope", operation.reservation().scope())
        .with("operation", operation.reservation().operation().text())
        .with("resource", operation.reservation().resource().value())
        .with("fingerprint", operation.reservation().fingerprint().digest())
        .with("generation", operation.reservation().generation().value())
        .with("epoch", operation.epoch().value())
        .with("state", operation.state().word())
        .with("parked", operation.parkedReason())
        .with("shownAt", story.shownAt())
        .with("waitsSince", story.awaitedSince())
        .with("revision", operation.revision().value())
        .with("token", operation.token().value())
        .with("leaseRest", operation.leaseRest().isZero() ? null : operation.leaseRest())
        .with("openAttempts", operation.openAttempts())
        .with("pendingEvidence", operation.pendingEvidence())
        .with("quarantined", story.quarantine().count())
        .with("unseenEffects", story.quarantine().unseen())
        .with("failure", failure == null ? null : failure.code());
  }

  private static Page.Row attempt(OperationStory.Attempt attempt) {
    return new Page.Row()
        .with("claim", attempt.claimId())
        .with("token", attempt.token().value())
        .with("epoch", attempt.epoch().value())
        .with("open", attempt.open())
        .with("claimedAt", attempt.claimedAt())
        .with("horizon", attempt.horizon())
        .with("worker", attempt.worker().value())
        .with("namespace", attempt.origin().namespace())
        .with("workflow", attempt.origin().workflowId())
        .with("run", attempt.origin().runId());
  }

  private static Page.Row seen(OperationStory.Seen seen) {
    return new Page.Row()
        .with("at", seen.at())
        .with("observer", seen.observer())
        .with("kind", seen.kind())
        .with("reason", seen.reason())
        .with("became", seen.disposition())
        .with("closes", seen.closesAttempt())
        .with("claim", seen.claimId())
        .with("epoch", seen.epoch().value())
        .with("status", seen.status())
        .with("effect", seen.effect() == null ? null : seen.effect().value())
        .with("response", seen.responseDigest());
  }

  private static Page.Row proof(OperationStory.Proof proof) {
    return new Page.Row()
        .with("receipt", proof.receipt().completion().receipt().value())
        .with("source", proof.source())
        .with("token", proof.receipt().token().value())
        .with("epoch", proof.receipt().completion().epoch().value())
        .with("committedAt", proof.receipt().committedAt())
        .with("attempt", proof.attempt())
        .with("status", proof.status())
        .with("effect", proof.receipt().completion().effect().value())
        .with("response", proof.receipt().responseDigest());
  }

  private static Page.Row act(OperationStory.Act act) {
    return new Page.Row()
        .with("at", act.at())
        .with("act", act.id())
        .with("verb", act.verb())
        .with("decision", act.decision())
        .with("forced", act.forced())
        .with("actor", act.actor())
        .with("reason", act.reason())
        .with("revision", act.revision().value())
        .with("evidence", act.evidence());
  }

  private static Page.Row change(OperationStory.Change change) {
    return new Page.Row()
        .with("at", change.at())
        .with("act", change.act())
        .with("revision", change.revision().value())
        .with("generationBefore", change.generation().value())
        .with("epochBefore", change.epoch().value())
        .with("actor", change.actor())
        .with("reason", change.reason());
  }
}
