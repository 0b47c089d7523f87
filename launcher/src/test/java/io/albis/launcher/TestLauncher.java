package io.albis.launcher;

import io.albis.launcher.server.DocumentedBlocks;
import io.albis.launcher.tpcds.QueryList;
import io.albis.launcher.tpcds.Scale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.List;

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
    void testSizing()
    {
        assertThat(((SizingCommand) parseCommand("sizing", "--scale", "tiny")).clients()).containsExactly(1, 4, 16);
        assertThat(((SizingCommand) parseCommand("sizing", "--scale", "tiny", "--clients", "2,8")).clients()).containsExactly(2, 8);
        assertThat(errors("sizing", "--scale", "tiny", "--clients", "0")).startsWith("A number of clients is at least 1\n");
        assertThat(errors("sizing", "--scale", "tiny", "--server", "http://127.0.0.1:1"))
                .isEqualTo("No Trino server answers at http://127.0.0.1:1\n");
    }

    @Test
    void testDocumentedSizing()
            throws IOException
    {
        List<String> commands = DocumentedBlocks.text("docs/operations.md", "commands: sizing", "bash").lines().toList();
        assertThat(commands).hasSize(2);
        for (String command : commands) {
            assertThat(command).startsWith("bin/albis ");
            assertThat(parseCommand(command.substring("bin/albis ".length()).split(" "))).as(command).isInstanceOf(SizingCommand.class);
        }
    }

    @Test
    void testImport()
    {
        assertThat(errors("import", "--from", "shop.sales", "--to", "albis.shop.sales")).startsWith(
                "Invalid value for option '--from': Not a table with its catalog and schema: 'shop.sales'. It looks like iceberg.shop.sales\n");
        assertThat(errors("import", "--from", "a.b.c", "--to", "albis.shop.sales", "--with", "zstd")).startsWith(
                "Not table properties: 'zstd'. They look like compression = 'zstd', row_group_size = '64MB'\n");
        assertThat(errors("import", "--from", "a.b.c", "--to", "albis.shop.sales", "--server", "coordinator:8080"))
                .startsWith("Not the address of a server: 'coordinator:8080'.");
        assertThat(errors("import", "--from", "a.b.c", "--to", "albis.shop.sales", "--server", "http://127.0.0.1:1"))
                .startsWith("a.b.c was not imported: ")
                .doesNotContain("\tat ");
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
    @ValueSource(strings = {"", "unknown", "tpcds", "tpcds --scale", "tpcds --scale huge", "tpcds --scale 1 --queries 100", "tpcds --scale 1 more", "import", "import --from a.b.c", "demo more", "server --port 1"})
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
        return (TpcdsCommand) parseCommand(arguments);
    }

    private static Object parseCommand(String... arguments)
    {
        return Launcher.commandLine().parseArgs(arguments).subcommand().commandSpec().userObject();
    }
}
