package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.albis.format.AlbisFilter;
import io.albis.format.AlbisReader;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.local.LocalFileSystem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads an Albis table row by row with the API of the paper.
 */
public final class AlbisRows
{
    private AlbisRows() {}

    /**
     * A use of the current row of a reader, which returns a number that depends on the row.
     */
    private interface RowUse
    {
        long use(AlbisReader reader)
                throws IOException;
    }

    /**
     * Reads each row as an array of bytes, in the form that it has in the row layout.
     *
     * @param folder folder that {@link AlbisFormat} has written
     * @return a number that depends on all rows
     */
    public static long readBinary(Path folder, List<Column> columns)
            throws IOException
    {
        return read(folder, columns, reader -> reader.getBinaryRow().length);
    }

    /**
     * Reads each value as a Java object.
     *
     * @param folder folder that {@link AlbisFormat} has written
     * @return a number that depends on all values
     */
    public static long readValues(Path folder, List<Column> columns)
            throws IOException
    {
        return read(folder, columns, reader -> {
            long used = 0;
            for (int column = 0; column < columns.size(); column++) {
                Object value = reader.getValue(column);
                used += value == null ? 0 : value.hashCode();
            }
            return used;
        });
    }

    private static long read(Path folder, List<Column> columns, RowUse use)
            throws IOException
    {
        List<AlbisColumn> projection = AlbisFormat.columns(columns);
        long used = 0;
        try (AlbisReader reader = AlbisReader.open(new LocalFileSystem(folder), AlbisFormat.TABLE, AlbisFormat.readRowGroups(folder), AlbisFilter.and(), projection)) {
            while (reader.hasMore()) {
                reader.next();
                used += use.use(reader);
            }
        }
        return used;
    }
}
