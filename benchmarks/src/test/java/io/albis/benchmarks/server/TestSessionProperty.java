package io.albis.benchmarks.server;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestSessionProperty
{
    @Test
    void testParse()
    {
        assertThat(SessionProperty.parse("task_concurrency=1")).isEqualTo(new SessionProperty(Optional.empty(), "task_concurrency", "1"));
        assertThat(SessionProperty.parse("albis.index_enabled=false")).isEqualTo(new SessionProperty(Optional.of("albis"), "index_enabled", "false"));
        assertThat(SessionProperty.parse("albis.max_split_size=1.5GB")).isEqualTo(new SessionProperty(Optional.of("albis"), "max_split_size", "1.5GB"));
        for (String text : new String[] {"", "index_enabled", "index_enabled=", "=false", "a.b.c=1", "index-enabled=false"}) {
            assertThatThrownBy(() -> SessionProperty.parse(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Not a session property such as task_concurrency=1 or albis.index_enabled=false: '%s'", text);
        }
    }
}
