package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UpstreamMainTest {

  private static final Pattern LINE = Pattern.compile("UPSTREAM kind=exports port=(\\d+)");

  @Test
  void an_upstream_runs_as_a_process_of_its_own_and_prints_its_port() throws Exception {
    Process process = start("exports", "--port", "0");
    try (BufferedReader out = process.inputReader(UTF_8)) {
      Matcher line = LINE.matcher(String.valueOf(out.readLine()));
      assertThat(line.matches()).isTrue();

      try (Caller caller = new Caller(URI.create("http://127.0.0.1:" + line.group(1)))) {
        assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
        assertThat(caller.call("GET", "/effects", "").body())
            .isEqualTo("{\"effects\":1,\"requests\":1,\"byKey\":{\"k-1\":1}}");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void wrong_arguments_end_it_with_2_and_the_usage() throws Exception {
    Process process = start("faxes");

    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8)).contains("usage:");
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(UpstreamMain.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).start();
  }
}
