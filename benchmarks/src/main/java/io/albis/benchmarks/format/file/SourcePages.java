package io.albis.benchmarks.format.file;

import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;

/**
 * Pages whose columns are read when asked for, as Trino's readers hand them out.
 */
interface SourcePages
        extends Closeable
{
    @Nullable
    SourcePage next()
            throws IOException;
}
