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
 * The decoded content of a manifest. It is immutable, and any number of queries can share it.
 *
 * @param table id of the table to which the manifest belongs
 * @param length length of the file in bytes
 * @param rows total number of rows in all row groups
 * @param content row groups and their sketches
 * @param retainedSize size in memory, in bytes
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
     * Checks that this is the manifest to which a version refers. Call this each time a version is read, even if the
     * manifest comes from a cache.
     *
     * @throws AlbisDataException if the manifest differs from the entry of the version
     */
    void check(Location location, UUID expectedTable, ManifestEntry entry)
            throws AlbisDataException
    {
        if (!table.equals(expectedTable)) {
            throw damaged("Damaged Albis file %s: it belongs to table %s, but table %s was expected", location, table, expectedTable);
        }
        if (length != entry.length()) {
            throw damaged("Damaged Albis file %s: it has %s bytes, but %s bytes were expected", location, length, entry.length());
        }
        if (content.rowGroups().size() != entry.rowGroups()) {
            throw damaged("Damaged Albis file %s: it has %s row groups, but %s row groups were expected", location, content.rowGroups().size(), entry.rowGroups());
        }
        if (rows != entry.rows()) {
            throw damaged("Damaged Albis file %s: it has %s rows, but %s rows were expected", location, rows, entry.rows());
        }
        // A manifest with deleted rows was refused
        if (rows != entry.liveRows()) {
            throw damaged("Damaged Albis file %s: none of its %s rows are deleted, but %s of them were expected to remain", location, rows, entry.liveRows());
        }
    }
}
