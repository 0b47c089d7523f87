package io.albis.benchmarks.format.file;

import io.trino.spi.Page;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * A way to keep rows in files.
 */
public interface FileFormat
{
    /**
     * @param folder is there and empty
     */
    void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException;

    /**
     * Finds out what the planning of a query would know, such as which files there are. It is not measured.
     */
    StoredTable open(Path folder, List<Column> columns)
            throws IOException;
}
