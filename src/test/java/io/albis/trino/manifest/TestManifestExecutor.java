package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Any failure to read manifests counts as a read failure, whatever its cause. A commit then knows that it has put no
 * file.
 */
final class TestManifestExecutor
{
    private final ManifestExecutor executor = new ManifestExecutor("test", 2);
    private final List<ReadCall<Integer>> calls = ImmutableList.of(() -> 1, () -> 2, () -> 3);

    @Test
    void testOrder()
            throws IOException
    {
        assertThat(executor.callAll(calls)).containsExactly(1, 2, 3);
        executor.shutdown();
    }

    @Test
    void testShutdown()
    {
        executor.shutdown();
        assertThatThrownBy(() -> executor.callAll(calls))
                .isInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void testFailure()
    {
        IOException failure = new IOException("failed");
        assertThatThrownBy(() -> executor.callAll(ImmutableList.of(() -> 1, () -> {
            throw failure;
        }))).isSameAs(failure);
        executor.shutdown();
    }
}
