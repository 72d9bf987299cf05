package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Scope;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import org.jspecify.annotations.Nullable;

/**
 * Asks the ledger for a binding's current generation. Run as a local activity, one short call at a
 * time: what it answers stays in the workflow's history.
 *
 * <p>Reads only. Throws {@code LedgerUnavailable} where the ledger does not answer.
 */
@ActivityInterface
public interface BindingLookup {
  /** The activity type. */
  String TYPE = "HoldfastBindingLookup";

  /** The binding as it stands now. */
  @ActivityMethod(name = TYPE)
  BindingRef current(Query query);

  /**
   * Which binding.
   *
   * @param scope null for the ledger's scope, else the namespace: as for operations whose arguments
   *     name none
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Query(@Nullable Scope scope, BindingName name) {}
}
