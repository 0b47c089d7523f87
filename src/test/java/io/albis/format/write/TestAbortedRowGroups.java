package io.albis.format.write;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.RowGroupSchema;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ValueBlock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.memory.context.AggregatedMemoryContext.newSimpleAggregatedMemoryContext;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A writer that is aborted leaves neither files nor folders of the row group that it was writing, also on file systems
 * that have empty folders.
 */
final class TestAbortedRowGroups
{
    private static final Location TABLE = Location.of("local:///table");
    private static final AlbisColumn FIRST = AlbisColumn.make(1, "first", BIGINT);
    private static final AlbisColumn SECOND = AlbisColumn.make(2, "second", BIGINT);
    private static final RowGroupSchema SCHEMA = new RowGroupSchema(ImmutableList.of(FIRST, SECOND), ImmutableList.of(AlbisColumnGroup.make(FIRST), AlbisColumnGroup.make(SECOND)));

    @TempDir
    private Path folder;

    @Test
    void testNewRowGroup()
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(new LocalFileSystem(folder), TABLE, SCHEMA, WriterOptions.DEFAULTS);
        writer.append(new Page(column(), column()));
        assertThat(rowGroupFolders()).hasSize(1);
        writer.abort();
        assertThat(rowGroupFolders()).isEmpty();
    }

    @Test
    void testNewColumnGroup()
            throws IOException
    {
        TrinoFileSystem fileSystem = new LocalFileSystem(folder);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, TABLE, SCHEMA, WriterOptions.DEFAULTS);
        writer.append(new Page(column(), column()));
        RowGroup rowGroup = getOnlyElement(writer.finish());
        List<Path> complete = paths();

        RowGroupSchema changed = new RowGroupSchema(ImmutableList.of(SECOND), ImmutableList.of(AlbisColumnGroup.make(SECOND)));
        RowGroupWriter update = RowGroupWriter.ofExisting(fileSystem, TABLE, rowGroup.id(), new int[] {3}, changed, WriterOptions.DEFAULTS, UUID::randomUUID, newSimpleAggregatedMemoryContext());
        update.append(new ValueBlock[] {column()}, 0, 3);
        assertThat(paths()).hasSizeGreaterThan(complete.size());
        IOException reason = new IOException("aborted");
        update.abort(reason);
        assertThat(reason).hasNoSuppressedExceptions();
        assertThat(paths()).isEqualTo(complete);
    }

    private List<Path> rowGroupFolders()
            throws IOException
    {
        return paths().stream()
                .filter(path -> RowGroup.folderId(path.getFileName().toString()).isPresent())
                .collect(toImmutableList());
    }

    private List<Path> paths()
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted()
                    .collect(toImmutableList());
        }
    }

    private static ValueBlock column()
    {
        return new LongArrayBlock(3, Optional.empty(), new long[] {1, 2, 3});
    }
}
