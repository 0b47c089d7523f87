package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.ReadHookFileSystem;
import io.albis.format.ReadHookFileSystem.Read;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.scan.RowGroupFixture.FOLDER;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * IS NULL and IS NOT NULL read only the runs that have both nulls and values.
 */
final class TestNullFilters
{
    // two runs without nulls, one of nulls only, one with both, and a part of a run without nulls
    private static final int MIXED_RUN = 3;
    private static final int ROWS = 4 * Run.MAX_ROWS + 1000;

    private final TrinoFileSystem storage = new MemoryFileSystemFactory().create(ofUser("test"));

    static List<Type> types()
    {
        return ImmutableList.of(BIGINT, DOUBLE, VARCHAR);
    }

    @ParameterizedTest
    @MethodSource("types")
    void nullsAreTestedWithoutValues(Type type)
            throws IOException
    {
        AlbisColumn column = AlbisColumn.make(1, "value", type);
        SplittableRandom random = new SplittableRandom(1);
        RowGroup rowGroup = RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(column), ROWS, (_, row) -> isNull(row) ? null : value(type, random));
        long nulls = 0;
        for (int row = 0; row < ROWS; row++) {
            nulls += isNull(row) ? 1 : 0;
        }
        AtomicLong bytes = new AtomicLong();
        TrinoFileSystem counting = new ReadHookFileSystem(storage, new ReadHookFileSystem.Hook()
        {
            @Override
            public void read(Read read)
            {
                bytes.addAndGet(read.isMetadata() ? 0 : read.length());
            }
        });

        assertThat(count(counting, rowGroup, column, Domain.onlyNull(type))).isEqualTo(nulls);
        // the run with both and the one after it, which the same request reads
        assertThat(bytes.getAndSet(0)).isPositive().isLessThan(rowGroup.columnGroups().getFirst().dataBytes() / 2);
        assertThat(count(counting, rowGroup, column, Domain.notNull(type))).isEqualTo(ROWS - nulls);
        assertThat(bytes.get()).isPositive().isLessThan(rowGroup.columnGroups().getFirst().dataBytes() / 2);
    }

    private static boolean isNull(int row)
    {
        int run = row / Run.MAX_ROWS;
        return run == 2 || (run == MIXED_RUN && row % 3 == 0);
    }

    private static Object value(Type type, SplittableRandom random)
    {
        if (type == DOUBLE) {
            return random.nextDouble();
        }
        return type == BIGINT ? (Object) random.nextLong() : utf8Slice(Long.toString(random.nextLong()));
    }

    private static long count(TrinoFileSystem fileSystem, RowGroup rowGroup, AlbisColumn column, Domain domain)
            throws IOException
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(), TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
        long rows = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                rows += batch.positionCount();
            }
        }
        return rows;
    }
}
