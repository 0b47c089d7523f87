package io.albis.launcher.server;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TestLogExcerpt
{
    @Test
    void testConfigurationErrors()
    {
        assertThat(LogExcerpt.of(
                """
                \u001B[90m2026-11-21T00:00:00Z\u001B[0m INFO starting
                com.google.inject.CreationException: Unable to create injector, see the following errors:

                1) Error: albis.warehouse has to be set
                \tat io.albis.Some.method(Some.java:1)
                Full classname legend:
                2) Error: albis.warehouse has to be set
                3) Error: albis.unknown is not used
                3 errors
                """)).isEqualTo("Error: albis.warehouse has to be set\nError: albis.unknown is not used");
    }

    @Test
    void testLastLines()
    {
        String log = "first\n" + "line\n".repeat(30) + "\u001B[31mERROR\u001B[0m last\n\tat io.albis.Some.method(Some.java:1)\n";
        assertThat(LogExcerpt.of(log).lines())
                .hasSize(20)
                .doesNotContain("first")
                .endsWith("ERROR last");
    }
}
