package dev.holdfast.cli;

/** What the process ends with, for scripts. */
enum ExitCode {
  /** Done, or shown. */
  DONE(0),
  /** The ledger refused the act: the message says why, and what to do instead. */
  REFUSED(1),
  /** The command line was not understood. */
  USAGE(2),
  /**
   * The ledger is out of reach or not fit, or something unforeseen: whether it was done, show
   * tells.
   */
  LEDGER(3),
  /** The act is done, and some workflow could not be told: it finds out by itself, later. */
  NOT_TOLD(4),
  /** Nobody knows whether the act was done: the same act id orders it once, a fresh one twice. */
  NOT_KNOWN(5);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
