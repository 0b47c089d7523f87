package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random changes of the corpus cause a descriptive error or no error, and never take much memory or time. Unlike
 * Jazzer, this needs no process of its own.
 */
final class TestRandomInputs
{
    @ParameterizedTest
    @EnumSource
    @Timeout(value = 2, unit = MINUTES)
    void testRandomInputs(FuzzTargets target)
            throws IOException
    {
        run(target, 1500);
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 20, unit = MINUTES)
    @Tag("slow")
    void testManyRandomInputs(FuzzTargets target)
            throws IOException
    {
        run(target, 40_000);
    }

    private static void run(FuzzTargets target, int rounds)
            throws IOException
    {
        long seed = new Random().nextLong();
        RandomMutations mutations = new RandomMutations(new Random(seed), ImmutableList.copyOf(target.corpus().values()));
        int accepted = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] input = mutations.next();
            try {
                accepted += target.check(input) ? 1 : 0;
            }
            catch (Throwable e) {
                Path file = Path.of("target", "crash-%s-%s".formatted(target.method(), Integer.toHexString(round)));
                Files.write(file, input);
                throw new AssertionError("The input %s of the seed %s violates the property. It is in the file %s".formatted(round, seed, file), e);
            }
        }
        assertThat(accepted).as("accepted inputs of %s, seed %s", rounds, seed).isBetween(1, target.target().isContentOptional() ? rounds : rounds - 1);
    }
}
