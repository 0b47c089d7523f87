package io.albis.benchmarks.threshold;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.threshold.Crossing.Point;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

class TestCrossing
{
    @Test
    void testBetweenTwoPoints()
    {
        // In the middle of both logarithms
        Crossing crossing = crossing(new Point(0.01, 0.5), new Point(0.04, 2));
        assertThat(crossing.share()).hasValueCloseTo(0.02, offset(1e-9));
        assertThat(crossing).hasToString("2.00 %");
        assertThat(crossing(new Point(0.01, 1), new Point(0.04, 2)).share()).hasValueCloseTo(0.01, offset(1e-9));
    }

    @Test
    void testOrderOfPoints()
    {
        assertThat(crossing(new Point(0.04, 2), new Point(0.001, 0.1), new Point(0.01, 0.5))).hasToString("2.00 %");
    }

    /**
     * A single slow measurement below the crossing does not count.
     */
    @Test
    void testLastCrossing()
    {
        assertThat(crossing(new Point(0.001, 1.1), new Point(0.01, 0.5), new Point(0.04, 2), new Point(0.1, 3))).hasToString("2.00 %");
    }

    @Test
    void testOutsideOfThePoints()
    {
        assertThat(crossing(new Point(0.01, 1.5), new Point(0.04, 2))).hasToString("below 1.00 %");
        assertThat(crossing(new Point(0.01, 1.5), new Point(0.04, 2)).share()).isEmpty();
        assertThat(crossing(new Point(0.01, 1.5), new Point(0.2, 0.9))).hasToString("above 20.00 %");
        assertThat(crossing(new Point(0.01, 0.5)).share()).isEmpty();
    }

    @Test
    void testInvalid()
    {
        assertThatThrownBy(() -> crossing()).isInstanceOf(IllegalArgumentException.class).hasMessage("points is empty");
        assertThatThrownBy(() -> new Point(0, 1)).isInstanceOf(IllegalArgumentException.class).hasMessage("not a share: 0.0");
        assertThatThrownBy(() -> new Point(0.5, Double.NaN)).isInstanceOf(IllegalArgumentException.class).hasMessage("not a ratio: NaN");
    }

    private static Crossing crossing(Point... points)
    {
        return new Crossing(ImmutableList.copyOf(points));
    }
}
