package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The requests for parts of an index.
 */
final class TestSpan
{
    @Test
    void testGaps()
    {
        List<Span> parts = ImmutableList.of(new Span(0, 10), new Span(5, 20), new Span(4000, 4100), new Span(9000, 9001));
        assertThat(Span.plan(parts, Long.MAX_VALUE)).contains(ImmutableList.of(new Span(0, 4100), new Span(9000, 9001)));
    }

    /**
     * Few requests have a limit, too, because the values of a range may be long.
     */
    @Test
    void testBytesOfFewRequests()
    {
        List<Span> parts = ImmutableList.of(new Span(0, 5_000_000), new Span(6_000_000, 6_000_100));
        assertThat(Span.plan(parts, 5_000_100)).contains(parts);
        assertThat(Span.plan(parts, 5_000_099)).isEmpty();
    }

    @Test
    void testManyRequests()
    {
        List<Span> parts = IntStream.range(0, 10).mapToObj(i -> new Span(i * 10_000, i * 10_000 + 5)).collect(toImmutableList());
        assertThat(Span.plan(parts, 100_000)).contains(ImmutableList.of(new Span(0, 90_005)));
        assertThat(Span.plan(parts, 90_004)).isEmpty();
        List<Span> distant = IntStream.range(0, 10).mapToObj(i -> new Span(i * 1_000_000, i * 1_000_000 + 5)).collect(toImmutableList());
        assertThat(Span.plan(distant, Long.MAX_VALUE)).isEqualTo(Optional.empty());
    }
}
