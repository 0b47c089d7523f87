package io.albis.trino.statistics;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

import static io.airlift.slice.Slices.utf8Slice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

class TestTextScale
{
    @Test
    void testNumbers()
    {
        assertThat(part("Clerk#000000001", "Clerk#000001000", "Clerk#000000900")).isCloseTo(0.9, offset(0.001));
        assertThat(part("1992-01-01", "1998-12-31", "1995-07-01")).isCloseTo(0.5, offset(0.05));
    }

    @Test
    void testWords()
    {
        assertThat(part("Ada", "Zoe", "Mia")).isCloseTo(0.5, offset(0.05));
        assertThat(part("a", "zz", "m")).isCloseTo(0.47, offset(0.05));
    }

    @Test
    void testEnds()
    {
        TextScale scale = new TextScale(utf8Slice(""), utf8Slice(""));
        assertThat(scale.position(utf8Slice(""))).isZero();
        assertThat(scale.position(utf8Slice("a"))).isFinite();
        assertThat(part("", "b", "a")).isBetween(0.0, 1.0);
    }

    /**
     * A greater text never has a smaller position, except through rounding.
     */
    @Test
    void testOrder()
    {
        long seed = new Random().nextLong();
        System.out.println("Texts by seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            int characters = 1 + random.nextInt(256);
            int first = random.nextInt(257 - characters);
            Slice[] texts = new Slice[50];
            Arrays.setAll(texts, _ -> {
                byte[] text = new byte[random.nextInt(25)];
                for (int i = 0; i < text.length; i++) {
                    text[i] = (byte) (first + random.nextInt(characters));
                }
                return Slices.wrappedBuffer(text);
            });
            Arrays.sort(texts);
            TextScale scale = new TextScale(texts[0], texts[49]);
            double last = Double.NEGATIVE_INFINITY;
            for (Slice text : texts) {
                double position = scale.position(text);
                assertThat(position).as("seed %s, round %s", seed, round).isFinite().isGreaterThanOrEqualTo(last - 1e-9);
                last = position;
            }
        }
    }

    private static double part(String low, String high, String text)
    {
        TextScale scale = new TextScale(utf8Slice(low), utf8Slice(high));
        double start = scale.position(utf8Slice(low));
        return (scale.position(utf8Slice(text)) - start) / (scale.position(utf8Slice(high)) - start);
    }
}
