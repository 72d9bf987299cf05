package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.AnswerRules;
import dev.holdfast.activities.UpstreamUnverifiedException;
import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies and digests of RFC 9530, appendix D; the lies are digests of an empty body. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DigestFieldsTest {
  private static final byte[] BODY = "{\"hello\": \"world\"}\n".getBytes(UTF_8);
  private static final String SHA_256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
  private static final String SHA_512 =
      "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCs"
          + "yRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:";
  private static final String LIE_256 = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
  private static final String LIE_512 =
      "sha-512=:z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwv"
          + "Y7kxvUdBeoGlODJ6+SfaPg==:";

  private final OpenEffect effect = OpenEffect.of("export");

  @Nested
  class Content_digest {
    @ParameterizedTest
    @ValueSource(
        strings = {
          SHA_256,
          SHA_512,
          SHA_256 + ", " + SHA_512,
          "md5=:Sd/dVLAcvNLSq16eXua5uQ==:, " + SHA_256,
          "unixsum=30637, " + SHA_512,
          SHA_256 + ";note=\"x\"",
        })
    void a_digest_of_these_bytes_is_believed_even_where_one_is_required(String field)
        throws IOException {
      send(AnswerRules.standard().digestRequired(), "Content-Digest", field);

      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          LIE_256,
          LIE_512,
          SHA_256 + ", " + LIE_512,
          LIE_256 + ", " + SHA_512,
          "sha-256=:RK/0:",
          "sha-256=::",
        })
    void a_digest_of_other_bytes_leaves_the_outcome_unknown(String field) {
      assertUnknown("digest_differs", AnswerRules.standard(), "Content-Digest", field);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "sha-256",
          "sha-256=RK/0qy18",
          "sha-256=\"RK/0\"",
          "sha-256=:RK/0qy18",
          "SHA-256=:RK/0:",
          "sha-256=:R!:",
          "S3CR3T-7f S3CR3T-7f",
          SHA_256 + ",",
        })
    void a_field_that_is_none_leaves_the_outcome_unknown(String field) {
      assertUnknown("digest_malformed", AnswerRules.standard(), "Content-Digest", field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"md5=:Sd/dVLAcvNLSq16eXua5uQ==:", "sha-3=?1, unixsum=30637"})
    void algorithms_that_are_not_known_say_nothing(String field) throws IOException {
      send(AnswerRules.standard(), "Content-Digest", field);

      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }

    @Test
    void algorithms_that_are_not_known_do_not_meet_a_requirement() {
      assertUnknown(
          "digest_missing",
          AnswerRules.standard().digestRequired(),
          "Content-Digest",
          "md5=:Sd/dVLAcvNLSq16eXua5uQ==:");
    }

    @Test
    void several_lines_are_one_field() throws IOException {
      send(
          AnswerRules.standard(),
          "Content-Digest",
          "md5=:Sd/dVLAcvNLSq16eXua5uQ==:",
          "Content-Digest",
          SHA_256);
      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }

    @Test
    void a_lie_on_a_second_line_is_seen() {
      assertUnknown(
          "digest_differs",
          AnswerRules.standard(),
          "Content-Digest",
          SHA_512,
          "Content-Digest",
          LIE_256);
    }
  }

  @Nested
  class Repr_digest {
    @Test
    void it_counts_where_the_body_is_the_representation() throws IOException {
      send(AnswerRules.standard().digestRequired(), "Repr-Digest", SHA_256);

      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }

    @Test
    void a_lie_is_seen_beside_a_true_content_digest() {
      assertUnknown(
          "digest_differs",
          AnswerRules.standard(),
          "Content-Digest",
          SHA_256,
          "Repr-Digest",
          LIE_256);
    }

    @ParameterizedTest
    @CsvSource({
      "Content-Encoding, gzip",
      "Content-Location, /documents/7",
      "Content-Range, bytes 0-18/40"
    })
    void it_says_nothing_of_a_coded_a_foreign_or_a_partial_body(String header, String value)
        throws IOException {
      send(AnswerRules.standard(), "Repr-Digest", LIE_256, header, value);

      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }

    @Test
    void it_says_nothing_of_an_answer_without_content() throws IOException {
      try (HttpUpstream upstream = HttpUpstream.answering(204, BODY, "Repr-Digest", SHA_256)) {
        effect.run(e -> e.send(HttpUpstream.client(), upstream.post()));
      }
      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }
  }

  @Test
  void an_answer_without_a_digest_is_believed_unless_one_is_required() throws IOException {
    send(AnswerRules.standard());
    assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
  }

  @Test
  void an_answer_without_a_required_digest_is_unknown() {
    assertUnknown("digest_missing", AnswerRules.standard().digestRequired());
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 429})
  void a_no_whose_digest_lies_is_not_believed_either(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY, "Content-Digest", LIE_256)) {
      assertThatThrownBy(() -> effect.run(e -> e.send(HttpUpstream.client(), upstream.post())))
          .isInstanceOf(UpstreamUnverifiedException.class);
      assertThat(effect.state()).isInstanceOf(DispatchState.Unverified.class);
    }
  }

  private void send(AnswerRules rules, String... headers) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY, headers)) {
      effect.run(e -> e.send(HttpUpstream.client(), upstream.post(), rules));
    }
  }

  private void assertUnknown(String reason, AnswerRules rules, String... headers) {
    assertThatThrownBy(() -> send(rules, headers))
        .isInstanceOfSatisfying(
            UpstreamUnverifiedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .message()
        .doesNotContain("S3CR3T");
    assertThat(effect.state())
        .isInstanceOfSatisfying(
            DispatchState.Unverified.class, s -> assertThat(s.reason()).isEqualTo(reason));
  }
}
