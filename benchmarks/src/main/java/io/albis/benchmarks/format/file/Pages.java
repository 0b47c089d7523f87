package io.albis.benchmarks.format.file;

import io.trino.spi.Page;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;

/**
 * A sequence of pages with all blocks loaded.
 */
public interface Pages
        extends Closeable
{
    /**
     * Returns the next page.
     *
     * @return the page, or null if there are no more pages
     */
    @Nullable
    Page next()
            throws IOException;
}
