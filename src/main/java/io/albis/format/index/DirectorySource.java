package io.albis.format.index;

import java.io.IOException;

/**
 * Provides the directory of an index from a cache, or reads it.
 */
@FunctionalInterface
public interface DirectorySource
{
    Directory get()
            throws IOException;
}
