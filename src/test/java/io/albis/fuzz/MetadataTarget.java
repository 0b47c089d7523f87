package io.albis.fuzz;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.SmallRowGroups;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.StatisticsDomains;
import io.albis.format.metadata.StoredColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.LocalTypeResolver;
import io.trino.filesystem.Location;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata of a column group. The input is the body of the file. All parts of the metadata are decoded.
 */
final class MetadataTarget
        implements FuzzTarget
{
    private static final Location LOCATION = Location.of("memory:///table/metadata");
    private static final UUID ID = new UUID(1, 2);

    @Override
    public void read(byte[] input)
            throws IOException
    {
        ColumnGroupMetadata metadata = decode(ID, input);
        assertThat(metadata.rows()).isPositive();
        assertThat(metadata.retainedSize()).isPositive();
        for (int segment = 0; segment < metadata.segments(); segment++) {
            for (int node = 0; node < nodes(metadata); node++) {
                assertThat(metadata.node(node, segment).rows()).isNotNegative();
            }
            for (int column = 0; column < metadata.columns().size(); column++) {
                readColumn(metadata, column, segment);
            }
        }
    }

    private static void readColumn(ColumnGroupMetadata metadata, int column, int segment)
            throws AlbisDataException
    {
        StoredColumn stored = metadata.columns().get(column);
        if (metadata.layout() == AlbisLayout.BLOCK) {
            metadata.checkSize(metadata.part(column, ImmutableList.of()).orElseThrow(), segment, _ -> true);
        }
        checkDomain(stored, metadata.statistics(column, segment), metadata.segmentRows()[segment]);
        for (ColumnStatistics run : metadata.runStatistics(column, segment)) {
            checkDomain(stored, run, metadata.segmentRows()[segment]);
        }
    }

    /**
     * A reader compares bounds only with a predicate on a column whose type is the one that is stored.
     */
    private static void checkDomain(StoredColumn column, ColumnStatistics statistics, long rows)
    {
        Type type;
        try {
            type = new LocalTypeResolver().resolve(column.typeId());
        }
        catch (RuntimeException e) {
            return;
        }
        if (column.hasType(type) && type.isOrderable()) {
            assertThat(StatisticsDomains.toDomain(statistics, type, rows)).isNotNull();
        }
    }

    static ColumnGroupMetadata decode(UUID id, byte[] body)
            throws AlbisDataException
    {
        return MetadataCodec.decode(LOCATION, Optional.of(id), FileFrame.frame(FileKind.METADATA, id, Slices.wrappedBuffer(body)));
    }

    static int nodes(ColumnGroupMetadata metadata)
    {
        return switch (metadata.layout()) {
            case ROW -> 1;
            case BLOCK -> metadata.columns().stream()
                    .mapToInt(StoredColumn::nodes)
                    .sum();
        };
    }

    /**
     * Returns the body of a file.
     */
    static byte[] body(Slice file)
    {
        return Arrays.copyOfRange(file.getBytes(), FileFrame.HEADER_SIZE, file.length() - (FileFrame.frameSize() - FileFrame.HEADER_SIZE));
    }

    @Override
    public Map<String, byte[]> writeSeeds()
            throws IOException
    {
        ImmutableMap.Builder<String, byte[]> seeds = ImmutableMap.builder();
        for (SmallRowGroups seed : SmallRowGroups.values()) {
            SmallRowGroups.Written written = seed.write();
            RowGroup rowGroup = written.rowGroup();
            ColumnGroupInstance instance = rowGroup.columnGroups().getFirst();
            seeds.put(seed.toString(), body(written.read(rowGroup.metadataFile(SmallRowGroups.FOLDER, instance))));
        }
        return seeds.buildOrThrow();
    }
}
