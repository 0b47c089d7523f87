package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.SmallRowGroups;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.RowGroupCodec;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.SmallRowGroups.FOLDER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole row group: its entry as a writer sends it to the coordinator, and for each column group the body of its
 * metadata and the content of its data file. All rows are read, and then those that match a predicate.
 */
final class RowGroupTarget
        implements FuzzTarget
{
    private static final List<AlbisColumn> COLUMNS = ImmutableList.<AlbisColumn>builder()
            .addAll(SmallRowGroups.SCALARS)
            .addAll(SmallRowGroups.NESTED_COLUMNS)
            .build();
    private static final TupleDomain<AlbisColumn> PREDICATE = TupleDomain.withColumnDomains(ImmutableMap.of(
            COLUMNS.get(0), Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 0L)), true),
            COLUMNS.get(2), Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, utf8Slice("b"))), true),
            COLUMNS.get(6), Domain.create(ValueSet.of(DATE, 1L, 100L, 10_000L), true)));
    // the size that the entry and the metadata state is also the size of the file, up to this limit
    private static final int MAX_DATA_LENGTH = 1 << 20;
    private static final long MAX_ROWS = 100_000;

    @Override
    public void read(byte[] input)
            throws IOException
    {
        InputParts parts = new InputParts(input);
        byte[] entry = parts.next();
        RowGroup stated = Decoding.decode(FOLDER, () -> RowGroupCodec.read(Slices.wrappedBuffer(entry).getInput()));
        TrinoFileSystem fileSystem = new MemoryFileSystem();
        ImmutableList.Builder<ColumnGroupInstance> instances = ImmutableList.builder();
        for (ColumnGroupInstance instance : stated.columnGroups()) {
            if (parts.isEmpty()) {
                instances.add(instance);
                continue;
            }
            byte[] metadata = parts.next();
            byte[] data = new byte[(int) Math.clamp(instance.dataBytes(), FileFrame.HEADER_SIZE, MAX_DATA_LENGTH)];
            byte[] content = parts.next();
            System.arraycopy(FileFrame.header(FileKind.DATA, instance.id()).getBytes(), 0, data, 0, FileFrame.HEADER_SIZE);
            System.arraycopy(content, 0, data, FileFrame.HEADER_SIZE, Math.min(content.length, data.length - FileFrame.HEADER_SIZE));
            byte[] repaired = PageChecksums.repair(instance.id(), metadata, data);
            FileBytes.overwrite(fileSystem, stated.dataFile(FOLDER, instance), data);
            FileBytes.overwrite(fileSystem, stated.metadataFile(FOLDER, instance), FileFrame.frame(FileKind.METADATA, instance.id(), Slices.wrappedBuffer(repaired)).getBytes());
            instances.add(new ColumnGroupInstance(instance.id(), instance.columnIds(), instance.dataBytes(), repaired.length + FileFrame.frameSize()));
        }
        RowGroup rowGroup = new RowGroup(stated.id(), stated.rows(), instances.build(), stated.statistics(), stated.addedVersion(), stated.deletedRows());
        StatisticsDomains.overlaps(rowGroup, PREDICATE);
        StatisticsDomains.containsAll(rowGroup, PREDICATE);
        readAll(fileSystem, rowGroup, TupleDomain.all());
        readAll(fileSystem, rowGroup, PREDICATE);
    }

    private static void readAll(TrinoFileSystem fileSystem, RowGroup rowGroup, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, RowGroupScan.of(COLUMNS, predicate), ReaderOptions.DEFAULTS)) {
            assertThat(rowGroup.columnGroups()).isNotEmpty();
            long rows = 0;
            // the number of rows of a row group that stores none of the columns is only in its entry
            for (AlbisBatch batch = reader.next(); batch != null && rows < MAX_ROWS; batch = reader.next()) {
                for (int channel = 0; channel < COLUMNS.size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                rows += batch.positionCount();
            }
            assertThat(rows).isLessThanOrEqualTo(rowGroup.liveRows());
        }
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        ImmutableMap.Builder<String, byte[]> seeds = ImmutableMap.builder();
        for (SmallRowGroups seed : SmallRowGroups.values()) {
            seeds.put(seed.toString(), toInput(seed.write()));
        }
        return seeds.buildOrThrow();
    }

    private static byte[] toInput(SmallRowGroups.Written written)
            throws IOException
    {
        RowGroup rowGroup = written.rowGroup();
        DynamicSliceOutput entry = new DynamicSliceOutput(100);
        RowGroupCodec.write(rowGroup, entry);
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        InputParts.write(entry.slice().getBytes(), input);
        for (ColumnGroupInstance instance : rowGroup.columnGroups()) {
            InputParts.write(MetadataTarget.body(written.read(rowGroup.metadataFile(FOLDER, instance))), input);
            Location dataFile = rowGroup.dataFile(FOLDER, instance);
            byte[] data = written.read(dataFile).getBytes();
            InputParts.write(Arrays.copyOfRange(data, FileFrame.HEADER_SIZE, data.length), input);
        }
        return input.toByteArray();
    }
}
