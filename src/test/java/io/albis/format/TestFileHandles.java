package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.FaultyFileSystem.Fault;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.scan.ScanHistory;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * If any operation of storage fails, everything that was opened is closed, and no input is used after one of its reads
 * failed.
 */
final class TestFileHandles
{
    private static final int ROWS = 600;
    private static final AlbisColumn FIRST = AlbisColumn.make(1, "first", BIGINT);
    private static final AlbisColumn SECOND = AlbisColumn.make(2, "second", BIGINT);
    private static final AlbisColumn THIRD = AlbisColumn.make(3, "third", BIGINT);
    private static final AlbisSchema SCHEMA = AlbisSchema.makeSchema(AlbisColumnGroup.make(FIRST), AlbisColumnGroup.make(SECOND), AlbisColumnGroup.make(AlbisLayout.ROW, THIRD));
    private static final WriterOptions OPTIONS = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES).withRowGroupRows(ROWS / 2);

    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));

    private interface Scenario
    {
        void run(FaultyFileSystem fileSystem, Location folder)
                throws IOException;
    }

    /**
     * Lets each operation fail in turn.
     */
    private static void failEach(TrinoFileSystem storage, Fault fault, Scenario scenario)
    {
        long steps = 0;
        FaultyFileSystem fileSystem;
        do {
            fileSystem = new FaultyFileSystem(storage, fault, steps);
            FaultyFileSystem faulty = fileSystem;
            Location folder = Location.of("memory:///folder" + steps);
            Throwable failure = catchThrowable(() -> scenario.run(faulty, folder));
            if (failure != null) {
                assertThat(fileSystem.hasFailed()).as("after %s operations: %s", steps, failure).isTrue();
                assertThat(failure).as("after %s operations", steps).isNotInstanceOf(Error.class);
            }
            assertThat(fileSystem.open()).as("open after %s operations and %s", steps, failure).isZero();
            steps++;
        }
        while (fileSystem.hasFailed());
        assertThat(steps).isGreaterThan(10);
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "UNCHECKED"})
    void testAlbisWriter(Fault fault)
    {
        failEach(storage, fault, (fileSystem, folder) -> {
            try (AlbisWriter writer = SCHEMA.getWriter(fileSystem, folder, OPTIONS)) {
                for (int row = 0; row < ROWS; row++) {
                    for (int column = 0; column < 3; column++) {
                        writer.setValue(column, row);
                    }
                    writer.nextRow();
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "UNCHECKED"})
    void testPageSink(Fault fault)
    {
        failEach(storage, fault, (fileSystem, folder) -> {
            RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, folder, SCHEMA.rowGroupSchema(), OPTIONS);
            try {
                writer.append(page());
                writer.finish();
            }
            catch (IOException | RuntimeException e) {
                // as the engine does with a failed sink
                writer.abort();
                // Only files that could not be deleted may remain. There are none, because the only failure has already
                // happened.
                FileIterator left = storage.listFiles(folder);
                assertThat(left.hasNext()).isFalse();
                throw e;
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"CHECKED", "UNCHECKED"})
    void testAlbisReader(Fault fault)
            throws IOException
    {
        Location folder = Location.of("memory:///rows");
        try (AlbisWriter writer = SCHEMA.getWriter(storage, folder, OPTIONS)) {
            writer.append(page());
        }
        failEach(storage, fault, (fileSystem, _) -> {
            AlbisSchema.read(fileSystem, folder, _ -> BIGINT);
            try (AlbisReader reader = SCHEMA.getReader(fileSystem, folder, AlbisFilter.greaterThan(SECOND, 100), ImmutableList.of(FIRST, THIRD))) {
                while (reader.hasMore()) {
                    reader.next();
                    reader.getValue(0);
                    reader.getValue(1);
                }
            }
        });
    }

    static List<Arguments> faultsAndAccesses()
    {
        return Stream.of(Fault.CHECKED, Fault.UNCHECKED)
                .flatMap(fault -> Stream.of(StorageAccess.LOCAL, StorageAccess.REMOTE, StorageAccess.REMOTE.ahead(1 << 20)).map(access -> Arguments.of(fault, access)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faultsAndAccesses")
    void testReadAhead(Fault fault, StorageAccess access)
            throws IOException
    {
        Location folder = Location.of("memory:///rows");
        RollingRowGroupWriter writer = new RollingRowGroupWriter(storage, folder, SCHEMA.rowGroupSchema(), OPTIONS);
        writer.append(page());
        RowGroup rowGroup = writer.finish().getFirst();
        TupleDomain<AlbisColumn> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(SECOND, Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 100L)), false)));
        failEach(storage, fault, (fileSystem, _) -> {
            // the executor runs tasks immediately, so that the order of the operations is always the same
            ReaderResources resources = new ReaderResources(MetadataSource.FILES, access, Runnable::run, new ScanHistory(2));
            RowGroupReader reader = RowGroupReader.open(fileSystem, folder, rowGroup, RowGroupScan.of(ImmutableList.of(FIRST, THIRD), predicate), ReaderOptions.DEFAULTS, resources);
            try {
                for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                    readTwice(batch);
                }
            }
            finally {
                reader.close();
            }
        });
    }

    // The engine may request data again after a failed read.
    private static void readTwice(AlbisBatch batch)
            throws IOException
    {
        for (int channel = 0; channel < 2; channel++) {
            try {
                batch.block(channel);
            }
            catch (IOException | IllegalStateException e) {
                batch.block(channel);
            }
        }
    }

    private static Page page()
    {
        BlockBuilder builder = BIGINT.createBlockBuilder(null, ROWS);
        for (long row = 0; row < ROWS; row++) {
            BIGINT.writeLong(builder, row * 1_000_003 % 997);
        }
        return new Page(builder.build(), builder.build(), builder.build());
    }
}
