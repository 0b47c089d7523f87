package io.albis.table.manifest;

import io.albis.format.io.AlbisDataException;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.trino.filesystem.Location;

import java.util.UUID;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * What a manifest has in it, as it was read. It never changes, and any number of queries may share one.
 *
 * @param table id of the table that it belongs to
 * @param length of the file, in bytes
 * @param rows of all row groups together
 * @param retainedSize bytes of memory that it takes
 */
public record Manifest(UUID table, long length, long rows, TableRows content, long retainedSize)
{
    static final int INSTANCE_SIZE = instanceSize(Manifest.class) + instanceSize(UUID.class) + instanceSize(TableRows.class);

    public Manifest
    {
        requireNonNull(table, "table is null");
        requireNonNull(content, "content is null");
    }

    /**
     * Whether it is the one that a version means. To be asked each time that a version is read, also if the file was read before.
     */
    void check(Location location, UUID expectedTable, ManifestEntry entry)
            throws AlbisDataException
    {
        if (!table.equals(expectedTable)) {
            throw damaged("Damaged Albis file %s: it belongs to table %s and not to %s", location, table, expectedTable);
        }
        if (length != entry.length()) {
            throw damaged("Damaged Albis file %s: it has %s bytes and not %s", location, length, entry.length());
        }
        if (content.rowGroups().size() != entry.rowGroups()) {
            throw damaged("Damaged Albis file %s: it has %s row groups and not %s", location, content.rowGroups().size(), entry.rowGroups());
        }
        if (rows != entry.rows()) {
            throw damaged("Damaged Albis file %s: it has %s rows and not %s", location, rows, entry.rows());
        }
    }
}
