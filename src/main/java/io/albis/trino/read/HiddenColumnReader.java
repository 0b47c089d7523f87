package io.albis.trino.read;

import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.trino.handle.HiddenColumn.ROW_GROUP;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static java.util.Objects.requireNonNull;

/**
 * Computes the hidden columns of the rows of one row group.
 */
final class HiddenColumnReader
{
    private final TrinoFileSystem fileSystem;
    private final Location tableFolder;
    private final RowGroup rowGroup;
    // columns with one value; null until they are requested
    private final Block[] values = new Block[HiddenColumn.values().length];

    HiddenColumnReader(TrinoFileSystem fileSystem, Location tableFolder, RowGroup rowGroup)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.tableFolder = requireNonNull(tableFolder, "tableFolder is null");
        this.rowGroup = requireNonNull(rowGroup, "rowGroup is null");
    }

    /**
     * Returns a hidden column of the selected rows of a batch.
     */
    Block read(HiddenColumn column, AlbisBatch batch)
            throws IOException
    {
        int rows = batch.positionCount();
        return switch (column) {
            case PATH, ROW_GROUP, FILE_MODIFIED_TIME -> RunLengthEncodedBlock.create(value(column), rows);
            case ROW_POSITION -> batch.positions();
            case ROW_ID -> RowBlock.fromFieldBlocks(rows, new Block[] {RunLengthEncodedBlock.create(value(ROW_GROUP), rows), batch.positions()});
        };
    }

    private Block value(HiddenColumn column)
            throws IOException
    {
        Block value = values[column.ordinal()];
        if (value == null) {
            BlockBuilder builder = column.type().createBlockBuilder(null, 1);
            writeNativeValue(column.type(), builder, switch (column) {
                case PATH -> utf8Slice(RowGroup.folder(tableFolder, rowGroup.id()).toString());
                case ROW_GROUP -> javaUuidToTrinoUuid(rowGroup.id());
                case FILE_MODIFIED_TIME -> packDateTimeWithZone(modifiedMillis(), UTC_KEY);
                case ROW_POSITION, ROW_ID -> throw new IllegalArgumentException("Column %s has many values".formatted(column));
            });
            value = builder.build();
            values[column.ordinal()] = value;
        }
        return value;
    }

    /**
     * Returns the time of the newest files of the row group. The last file of a write is the metadata file of its first
     * column group, so this takes one request for each write.
     */
    private long modifiedMillis()
            throws IOException
    {
        Set<WriteId> writes = new HashSet<>();
        long newest = Long.MIN_VALUE;
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            if (writes.stream().noneMatch(write -> write.isOf(columnGroup.id()))) {
                writes.add(new WriteId(columnGroup.id()));
                newest = Math.max(newest, fileSystem.newInputFile(rowGroup.metadataFile(tableFolder, columnGroup)).lastModified().toEpochMilli());
            }
        }
        return newest;
    }
}
