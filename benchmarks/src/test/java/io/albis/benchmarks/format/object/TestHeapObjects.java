package io.albis.benchmarks.format.object;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TestHeapObjects
{
    private static final int OBJECTS = 100_000;

    @Test
    void testCreated()
            throws Exception
    {
        List<Object> kept = new ArrayList<>(OBJECTS);
        long created = HeapObjects.created(() -> {
            kept.clear();
            for (int i = 0; i < OBJECTS; i++) {
                kept.add(new Object());
            }
        });
        // Other threads create objects, too, and the collector removes some that were there before
        assertThat(created).isBetween(OBJECTS - 1_000L, OBJECTS + 100_000L);
    }
}
