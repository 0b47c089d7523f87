package io.albis.format.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.io.StorageAccess;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.search.ReaderThresholds;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;

import java.io.IOException;
import java.util.List;
import java.util.Set;

import static io.trino.spi.type.BigintType.BIGINT;

/**
 * Reads a row group with unique values, with values that repeat, and with values by which the rows are sorted.
 */
abstract class BaseIndexSearchTest
        extends BaseRequestsTest
{
    static final int ROWS = 100_000;
    static final AlbisColumn KEY = AlbisColumn.make(1, "key", BIGINT);
    static final AlbisColumn TWENTY = AlbisColumn.make(2, "twenty", BIGINT);
    static final AlbisColumn TEN = AlbisColumn.make(3, "ten", BIGINT);
    static final AlbisColumn SORTED = AlbisColumn.make(4, "sorted", BIGINT);
    static final Set<Integer> ALL_INDEXED = ImmutableSet.of(1, 2, 3, 4);
    private static final List<AlbisColumn> ALL = ImmutableList.of(KEY, TWENTY, TEN, SORTED);

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, RowGroupScan scan, boolean useIndexes)
            throws IOException
    {
        return open(rowGroup, access, scan, new ReaderOptions(true, true, true, true, useIndexes, ReaderThresholds.DEFAULTS));
    }

    RowGroupReader open(RowGroup rowGroup, StorageAccess access, RowGroupScan scan, ReaderOptions options)
            throws IOException
    {
        return RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, options, new ReaderResources(MetadataSource.FILES, access, executor, new ScanHistory(scan.columns().size())));
    }

    static long countRows(RowGroupReader reader)
            throws IOException
    {
        long rows = 0;
        for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
            rows += batch.positionCount();
        }
        return rows;
    }

    static TupleDomain<AlbisColumn> single(AlbisColumn column, long value)
    {
        return domain(column, Domain.singleValue(BIGINT, value));
    }

    static TupleDomain<AlbisColumn> domain(AlbisColumn column, Domain domain)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, domain));
    }

    /**
     * Writes all columns into one group, with several segments.
     *
     * @param indexed ids of the columns with an index
     */
    RowGroup write(Set<Integer> indexed)
            throws IOException
    {
        return write(1 << 19, indexed);
    }

    /**
     * Writes all columns into one group, with segments of a single run.
     *
     * @param indexed ids of the columns with an index
     */
    RowGroup writeShortSegments(Set<Integer> indexed)
            throws IOException
    {
        return write(Long.BYTES * Run.MAX_ROWS, indexed);
    }

    private RowGroup write(int segmentBytes, Set<Integer> indexed)
            throws IOException
    {
        return RowGroupFixture.write(storage, AlbisLayout.BLOCK, ImmutableList.of(ALL), segmentBytes, ROWS, indexed, BaseIndexSearchTest::value);
    }

    static long value(AlbisColumn column, long row)
    {
        // unrelated to each other
        long mixed = (row * 0x9E3779B97F4A7C15L) >>> 20;
        return switch (column.id()) {
            case 1 -> row * 7919L % ROWS;
            case 2 -> mixed % 20;
            case 3 -> (mixed >>> 12) % 10;
            default -> row;
        };
    }
}
