package io.albis.benchmarks.format.file;

import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.io.Closeable;
import java.io.IOException;

/**
 * A sequence of pages whose columns are loaded on demand, as Trino's readers return them.
 */
interface SourcePages
        extends Closeable
{
    @Nullable
    SourcePage next()
            throws IOException;
}
