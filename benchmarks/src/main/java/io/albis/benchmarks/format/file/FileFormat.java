package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * A format for storing rows in files.
 */
public interface FileFormat
{
    /**
     * Writes the pages to files.
     *
     * @param folder an existing empty directory
     */
    void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException;

    /**
     * Collects the metadata that query planning would provide, such as the list of files. This step is not measured.
     */
    StoredTable open(Path folder, List<Column> columns)
            throws IOException;

    /**
     * Returns whether the reader decodes on threads of its own, whose CPU time counts as well.
     */
    default boolean hasThreads()
    {
        return false;
    }
}
