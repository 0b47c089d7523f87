package io.albis.launcher.tpcds;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TestProgress
{
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream output = new PrintStream(bytes, true, UTF_8);

    @Test
    void testLines()
    {
        report(new Progress(output, false));
        assertThat(bytes.toString(UTF_8).lines()).containsExactly("[1/2] first: done", "[2/2] second: skipped", "all done");
    }

    @Test
    void testTerminal()
    {
        report(new Progress(output, true));
        assertThat(bytes.toString(UTF_8)).endsWith("\r\u001b[K[2/2] second: skipped\r\u001b[Kall done" + System.lineSeparator());
        assertThat(bytes.toString(UTF_8)).containsOnlyOnce("\n");
    }

    private static void report(Progress progress)
    {
        progress.start(1, 2, "first");
        progress.finish("done");
        progress.start(2, 2, "second");
        progress.finish("skipped");
        progress.done("all done");
    }
}
