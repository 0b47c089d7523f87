package io.albis.launcher;

import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;

import static org.assertj.core.api.Assertions.assertThat;

class TestLauncher
{
    @Test
    void testTpcds()
    {
        TpcdsCommand command = parse("tpcds", "--scale", "1", "--queries", "1-3,q17");
        assertThat(command.scale()).isEqualTo(Scale.parse("sf1"));
        assertThat(command.queries()).isEqualTo(QueryList.parse("1,2,3,17"));
    }

    @Test
    void testTpcdsRunsAllQueries()
    {
        TpcdsCommand command = parse("tpcds", "--scale=tiny");
        assertThat(command.scale()).isEqualTo(Scale.TINY);
        assertThat(command.queries()).isEqualTo(QueryList.ALL);
    }

    @Test
    void testTpcdsOnAnotherServer()
    {
        TpcdsCommand command = parse("tpcds", "--scale", "tiny", "--server", "http://127.0.0.1:8080");
        assertThat(command.server()).hasValue(URI.create("http://127.0.0.1:8080"));
        assertThat(parse("tpcds", "--scale", "tiny").server()).isEmpty();
    }

    @Test
    void testServerThatDoesNotAnswer()
    {
        assertThat(errors("tpcds", "--scale", "tiny", "--server", "http://127.0.0.1:1"))
                .isEqualTo("No Trino server answers at http://127.0.0.1:1\n");
        assertThat(errors("tpcds", "--scale", "tiny", "--server", "localhost:8080"))
                .isEqualTo("Not the address of a server: 'localhost:8080'. It looks like http://127.0.0.1:8080\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "tpcds", "tpcds --scale", "tpcds --scale huge", "tpcds --scale 1 --queries 100", "tpcds --scale 1 more", "demo more", "server --port 1"})
    void testMisuse(String arguments)
    {
        StringWriter errors = new StringWriter();
        int exitCode = Launcher.commandLine()
                .setErr(new PrintWriter(errors))
                .execute(arguments.isEmpty() ? new String[] {} : arguments.split(" "));
        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).contains("Usage: bin/albis").doesNotContain("Exception");
    }

    @Test
    void testMessageOfMistake()
    {
        assertThat(errors("tpcds", "--scale", "huge")).contains("Not a scale: 'huge'. A scale is tiny (10 MB) or a number of gigabytes, such as 1 or 10");
    }

    private static String errors(String... arguments)
    {
        StringWriter errors = new StringWriter();
        Launcher.commandLine().setErr(new PrintWriter(errors)).execute(arguments);
        return errors.toString();
    }

    private static TpcdsCommand parse(String... arguments)
    {
        CommandLine commandLine = Launcher.commandLine();
        return (TpcdsCommand) commandLine.parseArgs(arguments).subcommand().commandSpec().userObject();
    }
}
