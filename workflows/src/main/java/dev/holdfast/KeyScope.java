package dev.holdfast;

/** Within what an operation key names one effect. */
public enum KeyScope {
  /** Within the tenant: the same key from any workflow is the same effect. */
  BUSINESS,

  /** Within the workflow id: survives retries, resets, continue-as-new and a later start. */
  WORKFLOW,

  /** Within one chain of continue-as-new, cron and retry runs. */
  CHAIN,

  /** Within one run; a reset of the run keeps it. */
  RUN
}
