package io.albis.benchmarks.format.file;

import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;

/**
 * Pages one after the other, with all blocks of each loaded.
 */
public interface Pages
        extends Closeable
{
    /**
     * @return null if there are no more
     */
    @Nullable
    Page next()
            throws IOException;
}
