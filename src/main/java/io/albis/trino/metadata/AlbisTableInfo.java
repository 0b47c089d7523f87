package io.albis.trino.metadata;

import static java.util.Objects.requireNonNull;

/**
 * The information about a table that query events report.
 *
 * @param folder of the table
 * @param version number of the version that the query read
 * @param rows number of rows in the version
 */
public record AlbisTableInfo(String folder, long version, long rows)
{
    public AlbisTableInfo
    {
        requireNonNull(folder, "folder is null");
    }
}
