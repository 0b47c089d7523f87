package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.trino.filesystem.Location;

import java.util.Iterator;
import java.util.List;
import java.util.UUID;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * The decoded content of a manifest. It is immutable, and any number of queries can share it.
 *
 * @param table id of the table to which the manifest belongs
 * @param length length of the file in bytes
 * @param rows total number of rows in all row groups, including deleted rows
 * @param liveRows total number of rows that are not deleted
 * @param content row groups and their sketches
 * @param retainedSize size in memory, in bytes
 */
public record Manifest(UUID table, long length, long rows, long liveRows, TableRows content, long retainedSize)
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
        List<RowGroup> rowGroups = content.rowGroups();
        if (rowGroups.size() != entry.entries()) {
            throw damaged("Damaged Albis file %s: it has %s row groups, but %s row groups were expected", location, rowGroups.size(), entry.entries());
        }
        long remainingRows = rows;
        long remainingLiveRows = liveRows;
        for (int removed : entry.removed()) {
            remainingRows -= rowGroups.get(removed).rows();
            remainingLiveRows -= rowGroups.get(removed).liveRows();
        }
        if (remainingRows != entry.rows()) {
            throw damaged("Damaged Albis file %s: it has %s rows, but %s rows were expected", location, remainingRows, entry.rows());
        }
        if (remainingLiveRows != entry.liveRows()) {
            throw damaged("Damaged Albis file %s: %s of its %s rows are not deleted, but %s rows were expected to remain", location, remainingLiveRows, remainingRows, entry.liveRows());
        }
    }

    /**
     * Returns the content without the row groups that the version has removed from the manifest.
     */
    TableRows without(List<Integer> removed)
    {
        if (removed.isEmpty()) {
            return content;
        }
        ImmutableList.Builder<RowGroup> remaining = ImmutableList.builderWithExpectedSize(content.rowGroups().size() - removed.size());
        Iterator<Integer> indexes = removed.iterator();
        int next = indexes.next();
        for (int i = 0; i < content.rowGroups().size(); i++) {
            if (i != next) {
                remaining.add(content.rowGroups().get(i));
            }
            else {
                next = indexes.hasNext() ? indexes.next() : -1;
            }
        }
        return new TableRows(remaining.build(), content.sketches());
    }
}
