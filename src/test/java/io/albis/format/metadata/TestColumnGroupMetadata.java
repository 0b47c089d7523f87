package io.albis.format.metadata;

import io.albis.format.io.FileFrame;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding;
import io.albis.format.run.NodeChunks;
import io.albis.format.run.Segment;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.FieldIds;
import io.trino.filesystem.Location;
import io.trino.spi.type.RowType;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestColumnGroupMetadata
{
    private static final Location LOCATION = Location.of("memory:///metadata");
    private static final int SEGMENTS = 10;

    /**
     * Each field has a chunk in each segment. A parsed chunk takes some hundred bytes of memory.
     */
    @Test
    void testSizeOfFields()
            throws IOException
    {
        int fields = 100;
        long size = metadata(fields).retainedSize() - metadata(1).retainedSize();
        assertThat(size).isGreaterThan(300L * SEGMENTS * (fields - 1));
    }

    private static ColumnGroupMetadata metadata(int fields)
            throws IOException
    {
        RowType type = RowType.anonymous(Collections.nCopies(fields, BIGINT));
        List<StoredColumn> columns = List.of(StoredColumn.of(1, type, FieldIds.of(type)));
        List<List<NodeChunks>> nodes = new ArrayList<>();
        for (int node = 0; node <= fields; node++) {
            Chunk chunk = new Chunk(new ChunkEncoding.Nulls(), FileFrame.HEADER_SIZE, List.of());
            nodes.add(Collections.nCopies(SEGMENTS, new NodeChunks(List.of(chunk), new int[0])));
        }
        List<ColumnStatistics> statistics = Collections.nCopies(SEGMENTS, new ColumnStatistics(1, 1, UNORDERED, Optional.empty(), Optional.empty()));
        UUID id = UUID.randomUUID();
        ColumnGroupMetadata metadata = MetadataCodec.decode(LOCATION, Optional.of(id), MetadataCodec.encode(
                id,
                AlbisLayout.BLOCK,
                columns,
                FileFrame.HEADER_SIZE + Segment.END_SLACK,
                Collections.nCopies(SEGMENTS, 1),
                MetadataCodec.sections(AlbisLayout.BLOCK, columns, nodes, List.of(statistics), List.of(Optional.empty()), List.of(Optional.empty()), List.of())));
        assertThat(metadata.node(fields, SEGMENTS - 1).chunks()).hasSize(1);
        return metadata;
    }
}
