package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.holdfast.BindingName;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.PayloadPolicy;
import dev.holdfast.Scope;
import dev.holdfast.TerminalPolicy;
import dev.holdfast.UpstreamContract;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.interceptors.Header;
import io.temporal.failure.ApplicationFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WireTest {
  private static final DataConverter CONVERTER = DefaultDataConverter.newDefaultInstance();
  private static final OperationRef REF = Refs.ref("export", "e-1");

  @Test
  void a_reference_survives_temporals_default_converter() {
    Payload payload = CONVERTER.toPayload(REF).orElseThrow();

    assertThat(CONVERTER.fromPayload(payload, OperationRef.class, OperationRef.class))
        .isEqualTo(REF);
    assertThat(payload.getData().toStringUtf8())
        .contains("\"scope\":\"tenant\"", "\"operation\":\"export:e-1\"", "\"epoch\":1");
  }

  @Test
  void a_reference_with_a_member_of_a_later_version_is_still_read() {
    String json = CONVERTER.toPayload(REF).orElseThrow().getData().toStringUtf8();
    Payload later =
        Payload.newBuilder()
            .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
            .setData(ByteString.copyFromUtf8(json.replaceFirst("\\{", "{\"later\":1,")))
            .build();

    assertThat(CONVERTER.fromPayload(later, OperationRef.class, OperationRef.class)).isEqualTo(REF);
  }

  @Test
  void query_and_row_of_a_look_up_survive_temporals_default_converter() {
    LookupQuery query = LookupQuery.of(REF);
    LookedUp row =
        new LookedUp(
            LookedUp.State.COMPLETED,
            0,
            0,
            REF,
            new LookedUp.ActivityIdentity("wf", "run", "activity"),
            LookedUp.ResultKind.VALUE,
            StoredPayload.ofBytes(CONVERTER.toPayload("value").orElseThrow().toByteArray()),
            null,
            null,
            null,
            null);
    LookedUp stored = LookedUp.open(LookedUp.State.PARKED, 1, 0).withPendingEvidence(2);
    LookedUp left =
        LookedUp.open(LookedUp.State.UNKNOWN, 1, 0)
            .withLastAttempt(new LookedUp.ActivityIdentity("wf", "run", "activity"), 7);
    LookupQuery attending =
        new LookupQuery(
            REF.scope(),
            REF.operation(),
            REF.fingerprint(),
            REF.generation(),
            null,
            new LookupQuery.Attendance(
                UpstreamContract.OPAQUE,
                PayloadPolicy.CONFLICT,
                TerminalPolicy.FIRST_COMMIT,
                new BindingName("mandate")));
    LookedUp failed = LookedUp.failed(new LookedUp.Failure("http-422", 422));

    assertThat(roundTrip(query, LookupQuery.class)).isEqualTo(query);
    assertThat(roundTrip(attending, LookupQuery.class)).isEqualTo(attending);
    assertThat(roundTrip(row, LookedUp.class)).isEqualTo(row);
    assertThat(roundTrip(left, LookedUp.class)).isEqualTo(left);
    assertThat(roundTrip(failed, LookedUp.class)).isEqualTo(failed);
    assertThat(roundTrip(stored, LookedUp.class)).isEqualTo(stored);
  }

  @Test
  void a_row_of_another_version_reads_without_the_members_that_this_one_does_not_have() {
    Payload newer =
        json("{'state':'FAILED','failure':{'code':'no','status':4,'when':'now'},'shade':7}");
    Payload older = json("{'state':'PARKED','openAttempts':1,'retryAfterMillis':0}");

    assertThat(CONVERTER.fromPayload(newer, LookedUp.class, LookedUp.class))
        .extracting(LookedUp::state, LookedUp::failure)
        .containsExactly(LookedUp.State.FAILED, new LookedUp.Failure("no", 4));
    assertThat(CONVERTER.fromPayload(older, LookedUp.class, LookedUp.class))
        .extracting(LookedUp::state, LookedUp::openAttempts, LookedUp::pendingEvidence)
        .containsExactly(LookedUp.State.PARKED, 1, null);
  }

  private static Payload json(String text) {
    return Payload.newBuilder()
        .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
        .setData(ByteString.copyFromUtf8(text.replace('\'', '"')))
        .build();
  }

  @Test
  void metadata_is_added_to_a_payload_and_nothing_else_of_it_changes() throws Exception {
    Payload payload = CONVERTER.toPayload("value").orElseThrow();
    ResultMetadata metadata = new ResultMetadata(REF, true);

    Payload written = metadata.writeTo(payload);

    assertThat(ResultMetadata.readFrom(written)).contains(metadata);
    assertThat(ResultMetadata.readFrom(payload)).isEmpty();
    assertThat(written.toBuilder().removeMetadata(ResultMetadata.NAME).build()).isEqualTo(payload);
    assertThat(CONVERTER.fromPayload(written, String.class, String.class)).isEqualTo("value");
  }

  static Stream<@Nullable Object> empties() {
    return Stream.of(null, "", new byte[0], List.of(), Optional.empty());
  }

  // case B1
  @ParameterizedTest
  @MethodSource("empties")
  void an_empty_result_with_metadata_is_still_that_result(@Nullable Object empty) {
    Class<?> type =
        empty == null ? String.class : empty instanceof List<?> ? List.class : empty.getClass();
    Payload payload = CONVERTER.toPayload(empty).orElseThrow();

    Payload written = new ResultMetadata(REF, true).writeTo(payload);

    assertThat((Object) CONVERTER.fromPayload(written, type, type)).isEqualTo(empty);
  }

  @Test
  void metadata_of_a_form_that_cannot_be_read_is_none() {
    Payload odd =
        Payload.newBuilder()
            .putMetadata(ResultMetadata.NAME, ByteString.copyFromUtf8("{\"ref\":7}"))
            .build();

    assertThat(ResultMetadata.readFrom(odd)).isEmpty();
  }

  @Test
  void a_header_tells_the_operation_by_the_digest_of_its_key() {
    OperationId operation = new OperationId("export", "customer 4711");
    OperationHeader header = header("customer 4711");

    assertThat(OperationHeader.readFrom(new Header(header.entries()))).contains(header);
    assertThat(header.names(operation)).isTrue();
    assertThat(header.names(new OperationId("export", "customer 4712"))).isFalse();
    assertThat(header.names(new OperationId("share", "customer 4711"))).isFalse();
    assertThat(header.entries().values())
        .noneMatch(payload -> payload.getData().toStringUtf8().contains("4711"));
  }

  @Test
  void no_header_is_none() {
    assertThat(OperationHeader.readFrom(Header.empty())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{}", "null", "[]", "", "{\"scope\":\"tenant\",\"origin\":{}}"})
  void a_header_that_cannot_be_read_is_refused(String json) {
    Payload odd = Payload.newBuilder().setData(ByteString.copyFromUtf8(json)).build();

    assertThatThrownBy(() -> OperationHeader.readFrom(new Header(OperationHeader.sealed(odd))))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
              assertThat(failure.getOriginalMessage()).contains("cannot be read");
            });
  }

  private static OperationHeader header(String key) {
    return OperationHeader.of(
        new Scope("tenant"),
        new OperationId("export", key),
        REF.fingerprint(),
        new Generation(2),
        new WorkflowOrigin("wf", "first", "original"));
  }

  /** What a propagator can make of the entries: it puts some, and takes none away. */
  static Stream<Map<String, Payload>> overrides() {
    Map<String, Payload> another = header("another").entries();
    Payload forged = Objects.requireNonNull(another.get(OperationHeader.NAME));
    Map<String, Payload> sealAlone = new HashMap<>(another);
    sealAlone.remove(OperationHeader.NAME);
    return Stream.of(
        another,
        Map.of(OperationHeader.NAME, forged),
        Map.of(OperationHeader.NAME, Payload.getDefaultInstance()),
        sealAlone);
  }

  @ParameterizedTest
  @MethodSource("overrides")
  void a_header_that_was_overridden_is_refused(Map<String, Payload> override) {
    Map<String, Payload> sent = new HashMap<>(header("own").entries());
    sent.putAll(override);

    assertThatThrownBy(() -> OperationHeader.readFrom(new Header(sent)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
              assertThat(failure.getOriginalMessage()).contains("context propagator");
            });
  }

  @Test
  void a_header_without_its_seal_or_a_seal_alone_is_refused() {
    for (String entry : header("own").entries().keySet()) {
      Map<String, Payload> rest = new HashMap<>(header("own").entries());
      rest.remove(entry);

      assertThatThrownBy(() -> OperationHeader.readFrom(new Header(rest)))
          .as(entry)
          .isInstanceOf(ApplicationFailure.class);
    }
  }

  @Test
  void a_header_of_a_worker_that_knew_of_no_fetching_does_not_fetch() {
    String json =
        Objects.requireNonNull(header("own").entries().get(OperationHeader.NAME))
            .getData()
            .toStringUtf8();
    String older = json.replace(",\"fetches\":false", "");
    Payload payload = Payload.newBuilder().setData(ByteString.copyFromUtf8(older)).build();

    assertThat(older).isNotEqualTo(json);
    assertThat(OperationHeader.readFrom(new Header(OperationHeader.sealed(payload))))
        .contains(header("own"));
  }

  private static <T> T roundTrip(T value, Class<T> type) {
    return CONVERTER.fromPayload(CONVERTER.toPayload(value).orElseThrow(), type, type);
  }
}
