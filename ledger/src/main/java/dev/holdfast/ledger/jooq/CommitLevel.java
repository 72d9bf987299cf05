package dev.holdfast.ledger.jooq;

/**
 * What a commit waits for before its answer lets anybody act (PostgreSQL's {@code
 * synchronous_commit}). A session that asks for more keeps it.
 */
public enum CommitLevel {
  /** Flushed here, and by the synchronous standbys where there are any. */
  ON("on"),
  /** Also visible on the synchronous standbys. */
  REMOTE_APPLY("remote_apply");

  private final String setting;

  CommitLevel(String setting) {
    this.setting = setting;
  }

  String setting() {
    return setting;
  }
}
