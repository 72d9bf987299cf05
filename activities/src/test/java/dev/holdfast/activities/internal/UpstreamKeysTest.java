package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UpstreamKeysTest {
  // made by: python3 -c "import hashlib,base64,struct; f=lambda *p:
  // 'hf1-'+base64.urlsafe_b64encode(
  // hashlib.sha256(b''.join(struct.pack('>I',len(x.encode()))+x.encode() for x in
  // ('holdfast-upstream-key-1',)+p)).digest()).decode().rstrip('=');
  // print(f('default','export:E-1','0',''))"
  @ParameterizedTest(name = "{0} {1} epoch {2}")
  @CsvSource({
    "default, export:E-1, 0, hf1-cl3q-2oDRrHe41j4CtORm19T8KOHQJCbEkbjOb-L0So",
    "default, export:E-1, 1, hf1-lMAN97fL7SXJMPlackxUX26R3gqlzNVadPLMPPxn3Jg",
    "tenant-7, export:E-1, 0, hf1-JtrCaOabxXMdy00_QtMMZM9Gf7MLX7UtryGukni2tIU",
    "default, share:E-1, 0, hf1-4qcfHvtrsiojIAmLkodkt9WN8mxg3oFDNlejHq-t3jw",
    "default, export:jürgen 漢字, 0, hf1-xIQAFXMTG3hTsogu3ULLmVJCpy-5weZV5gDVsgEmpog",
    "a, b:c, 0, hf1-qtX9c8vli6dllIKbcVC6L9aMzv0zo0-ZQGFIblFt_7I",
  })
  void a_key_is_the_published_digest_of_its_parts(
      String scope, String operation, int epoch, String expected) {
    assertThat(key(scope, operation, epoch)).isEqualTo(expected);
  }

  @Test
  void parts_do_not_flow_into_each_other() {
    assertThat(key("a", "bc:d", 0)).isNotEqualTo(key("ab", "c:d", 0));
  }

  private static String key(String scope, String operation, int epoch) {
    return UpstreamKeys.of(
            OpenEffect.reservation(new Scope(scope), OperationId.parse(operation)),
            new Epoch(epoch),
            "")
        .value();
  }
}
