package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.DocumentedSession.Step;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestDocumentedSession
{
    @Test
    void testParse()
    {
        assertThat(DocumentedSession.parse("> first\n-> line\noutput\n\n> second\n", "> ", "-> ").steps()).containsExactly(
                new Step("first\nline", ImmutableList.of("output", "")),
                new Step("second", ImmutableList.of()));
    }

    @Test
    void testShown()
    {
        DocumentedSession.assertShown(ImmutableList.of(" a", " ...", "c", ""), " a\nb\nc \nd\n");
        assertThatThrownBy(() -> DocumentedSession.assertShown(ImmutableList.of("a", "c"), "a\nb\nc\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("[a, c]");
        assertThatThrownBy(() -> DocumentedSession.assertShown(ImmutableList.of("c", "...", "a"), "a\nc\n"))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void testSimilar()
    {
        DocumentedSession.assertSimilar(ImmutableList.of("done in 1.5 s", "Data: /home/me/albis/.albis/data"), "done in 12,000 s\nData: /tmp/a folder/.albis/data\n");
        DocumentedSession.assertSimilarSteps(ImmutableList.of("first: done in 1 s", "second: done in 1 s"), "first ...\nfirst: done in 2 s\nsecond ...\nsecond: done in 3 s\n");
        assertThatThrownBy(() -> DocumentedSession.assertSimilarSteps(ImmutableList.of("second", "first"), "first\nsecond\n"))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> DocumentedSession.assertSimilar(ImmutableList.of("done in 1 s"), "failed in 1 s\n"))
                .isInstanceOf(AssertionError.class);
    }
}
