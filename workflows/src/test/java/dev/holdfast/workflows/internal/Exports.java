package dev.holdfast.workflows.internal;

import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.RequiresCompleted;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Activities as authors write them: with checked exceptions, fenced and not. */
@ActivityInterface
public interface Exports {
  /** What an export returns. */
  record Document(String id, int pages) {}

  /** Fenced. */
  @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
  Document export(@OperationKey String id, String request) throws IOException;

  /** Fenced, under another activity type than its name. */
  @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
  @ActivityMethod(name = "renamed")
  Document exportPlainly(@OperationKey String id) throws IOException;

  /** Fenced, of a generic type. */
  @Fenced(upstream = UpstreamContract.OPAQUE)
  List<Document> exportAll(@OperationKey String id);

  /** Fenced, and may return null. */
  @Fenced(upstream = UpstreamContract.OPAQUE)
  @Nullable String find(@OperationKey String id);

  /** Fenced, and does not wait for a person. */
  @Fenced(upstream = UpstreamContract.OPAQUE, whenUnknown = WhenUnknown.FAIL)
  String findOrFail(@OperationKey String id);

  /** Fenced, returns nothing. */
  @Fenced(upstream = UpstreamContract.OPAQUE)
  void delete(@OperationKey String id) throws IOException;

  /** Fenced, gated. */
  @Fenced(upstream = UpstreamContract.OPAQUE)
  String share(@OperationKey String id, @RequiresCompleted OperationRef export);

  /** Fenced, once in a run. */
  @Fenced(upstream = UpstreamContract.OPAQUE, keyScope = KeyScope.RUN)
  String once(@OperationKey String id);

  /** Not fenced. */
  String plain(String id);
}
