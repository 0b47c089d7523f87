package io.albis.format.index;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The requests for parts of an index.
 */
final class TestSpan
{
    private static final int LOCAL = 8192;
    private static final int REMOTE = 1 << 18;

    @Test
    void testGaps()
    {
        List<Span> parts = ImmutableList.of(new Span(0, 10), new Span(5, 20), new Span(4000, 4100), new Span(9000, 9001));
        assertThat(Span.plan(parts, Long.MAX_VALUE, LOCAL)).contains(ImmutableList.of(new Span(0, 4100), new Span(9000, 9001)));
    }

    /**
     * The bytes of few requests have a limit, because the values of a range may be long.
     */
    @Test
    void testFewRequests()
    {
        List<Span> parts = ImmutableList.of(new Span(0, 5_000_000), new Span(6_000_000, 6_000_100));
        for (int requestCost : new int[] {LOCAL, REMOTE}) {
            assertThat(Span.plan(parts, 5_000_100, requestCost)).contains(parts);
            assertThat(Span.plan(parts, 5_000_099, requestCost)).isEmpty();
        }
    }

    /**
     * Each of many requests costs as much as some bytes.
     */
    @Test
    void testManyRequests()
    {
        for (int distance : new int[] {10_000, 1_000_000}) {
            List<Span> parts = parts(distance);
            assertThat(Span.plan(parts, 50 + 9 * LOCAL, LOCAL)).contains(parts);
            assertThat(Span.plan(parts, 49 + 9 * LOCAL, LOCAL)).isEmpty();
        }
        List<Span> distant = parts(1_000_000);
        assertThat(Span.plan(distant, 50 + 9 * REMOTE, REMOTE)).contains(distant);
        assertThat(Span.plan(distant, 49 + 9 * REMOTE, REMOTE)).isEmpty();
    }

    /**
     * Parts that are closer to each other than what a request costs are read together.
     */
    @Test
    void testJoinedParts()
    {
        assertThat(Span.plan(parts(10_000), 90_005, REMOTE)).contains(ImmutableList.of(new Span(0, 90_005)));
        assertThat(Span.plan(parts(10_000), 90_004, REMOTE)).isEmpty();
        assertThat(Span.plan(parts(8000), 72_005, LOCAL)).contains(ImmutableList.of(new Span(0, 72_005)));
    }

    private static List<Span> parts(int distance)
    {
        return IntStream.range(0, 10).mapToObj(i -> new Span(i * distance, i * distance + 5)).collect(toImmutableList());
    }
}
