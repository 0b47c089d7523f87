package io.albis.trino.history;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checker accepts random histories of a table in memory, whose calls overlap, and finds one thing that is wrong.
 */
final class TestRandomHistories
{
    private static final int ROUNDS = 20;

    @ParameterizedTest
    @EnumSource(SimulatedTable.Fault.class)
    void test(SimulatedTable.Fault fault)
    {
        long seed = new Random().nextLong();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> anomalies = new SimulatedTable(new Random(seed + round)).run(fault);
            assertThat(anomalies.isEmpty()).as("Seed %s, %s: %s", seed + round, fault, anomalies).isEqualTo(fault == SimulatedTable.Fault.NONE);
        }
    }
}
