package io.albis.fuzz;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The corpus of the fuzzer. Its seeds are files that a writer has written, so a fuzzer starts with valid files. The
 * other inputs are those that once violated the property.
 */
final class TestFuzzCorpus
{
    private static final String SEED = "seed-";
    private static final int MAX_LENGTH = 16 << 10;

    /**
     * A change of the format makes the seeds worthless. This test then fails, and leaves new ones.
     */
    @ParameterizedTest
    @EnumSource
    void testSeeds(FuzzTargets target)
            throws IOException
    {
        Path folder = Path.of("target", "fuzz-seeds", target.method());
        Files.createDirectories(folder);
        Map<String, byte[]> written = target.target().writeSeeds();
        for (Map.Entry<String, byte[]> seed : written.entrySet()) {
            Files.write(folder.resolve(SEED + seed.getKey()), seed.getValue());
            assertThat(target.check(seed.getValue())).as("new seed %s", seed.getKey()).isTrue();
        }
        for (Map.Entry<String, byte[]> input : target.corpus().entrySet()) {
            assertThat(input.getValue().length).as(input.getKey()).isLessThan(MAX_LENGTH);
            if (input.getKey().startsWith(SEED)) {
                assertThat(target.check(input.getValue())).as("seed %s. Replace the seeds in %s by those in %s", input.getKey(), target.corpusFolder(), folder).isTrue();
            }
        }
        assertThat(target.corpus().keySet()).containsAll(written.keySet().stream().map(SEED::concat).toList());
    }
}
