package io.albis.trino.sink;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.RowGroupSchema;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.TableColumnGroup;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisWritableTableHandle;
import io.albis.trino.handle.HandleBuild;
import io.albis.trino.handle.UpdateOptions;
import io.albis.trino.handle.WriteId;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.UuidType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.UuidType.javaUuidToTrinoUuid;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Updated rows are written in place or as new rows, depending on their size.
 */
final class TestUpdateCollector
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final AlbisColumn TEXT = AlbisColumn.make(2, "text", VARCHAR);
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(ID, TEXT), ImmutableList.of(AlbisColumnGroup.make(ID), AlbisColumnGroup.make(TEXT)));

    private final TrinoFileSystem storage = new MemoryFileSystem();
    private final List<Page> newRows = new ArrayList<>();
    private final List<Integer> replacedPositions = new ArrayList<>();

    /**
     * Columns that a statement does not update take no memory once it is known that the rows are updated in place.
     */
    @Test
    void testLongTextOfOtherColumn()
            throws IOException
    {
        RowGroup rowGroup = write(100, Slices.allocate(1000));
        InPlaceUpdates inPlace = inPlace(rowGroup, ID);
        UpdateCollector updates = collector(inPlace, 50_000);
        add(updates, rowGroup, 0, 20, Slices.allocate(1000));
        add(updates, rowGroup, 20, 80, Slices.allocate(1000));
        updates.finish();
        assertThat(newRows).isEmpty();
        assertThat(getOnlyElement(inPlace.finish().rowGroups()).columnIds()).containsExactly(ID.id());
    }

    /**
     * Rows are written as new rows if a segment would get too large with their values.
     */
    @Test
    void testLargeSegment()
            throws IOException
    {
        RowGroup rowGroup = write(10, Slices.allocate(1));
        InPlaceUpdates inPlace = inPlace(rowGroup, TEXT);
        UpdateCollector updates = collector(inPlace, 1 << 29);
        Slice text = Slices.allocate(8 << 20);
        add(updates, rowGroup, 0, 10, text);
        updates.finish();
        assertThat(inPlace.finish().rowGroups()).isEmpty();
        assertThat(replacedPositions).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        Page rows = getOnlyElement(newRows);
        for (int position = 0; position < 10; position++) {
            assertThat(BIGINT.getLong(rows.getBlock(0), position)).isEqualTo(position);
            assertThat(VARCHAR.getSlice(rows.getBlock(1), position)).isEqualTo(text);
        }
    }

    private RowGroup write(int rows, Slice text)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(storage, FOLDER, SCHEMA, WriterOptions.DEFAULTS.withDictionaries(false));
        writer.append(page(0, rows, text));
        return getOnlyElement(writer.finish());
    }

    private InPlaceUpdates inPlace(RowGroup rowGroup, AlbisColumn updated)
    {
        AlbisWritableTableHandle target = new AlbisWritableTableHandle(
                HandleBuild.CURRENT,
                "s",
                "t",
                UUID.randomUUID(),
                WriteId.random(),
                FOLDER.toString(),
                SCHEMA.columns().stream().map(column -> new AlbisColumnHandle(column.id(), column.name(), column.type())).toList(),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(ID.id())), new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(TEXT.id()))),
                WriterOptions.DEFAULTS,
                ImmutableList.of(),
                ImmutableList.of());
        return new InPlaceUpdates(storage, target, new UpdateOptions(ImmutableList.of(updated.id()), 0.05, 0), () -> ImmutableMap.of(rowGroup.id(), rowGroup), new WriteStats());
    }

    private UpdateCollector collector(InPlaceUpdates inPlace, long maxBytes)
    {
        return new UpdateCollector(
                inPlace,
                (_, positions, rows) -> {
                    for (int position : positions) {
                        replacedPositions.add(position);
                    }
                    newRows.add(rows);
                },
                ImmutableList.of(BIGINT, VARCHAR),
                maxBytes);
    }

    private static void add(UpdateCollector updates, RowGroup rowGroup, int first, int rows, Slice text)
            throws IOException
    {
        updates.add(page(first, rows, text), RowBlock.fromFieldBlocks(rows, new Block[] {
                RunLengthEncodedBlock.create(writeNativeValue(UuidType.UUID, javaUuidToTrinoUuid(rowGroup.id())), rows),
                positions(first, rows),
        }));
    }

    private static Page page(int first, int rows, Slice text)
    {
        return new Page(positions(first, rows), RunLengthEncodedBlock.create(VARCHAR, text, rows));
    }

    private static Block positions(int first, int rows)
    {
        return new LongArrayBlock(rows, Optional.empty(), LongStream.range(first, first + rows).toArray());
    }
}
