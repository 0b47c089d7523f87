package io.albis.benchmarks.planning;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.stats.cardinality.HyperLogLog;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.ValueOrder;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketch;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;
import static java.util.stream.IntStream.range;
import static java.util.stream.IntStream.rangeClosed;

/**
 * Tables that consist of metadata alone. Their row groups have 23 columns of type bigint, like those of {@code
 * store_sales}, and no files. The columns are called {@code column_1} and so on.
 */
public final class ManyRowGroups
{
    public static final String SCHEMA = "first_split";
    /**
     * The number of values of the first column in a row group.
     */
    public static final int SORTED_VALUES = 10;

    private static final int COLUMNS = 23;
    private static final int ROWS = 1_000_000;
    private static final int ROWS_OF_SEGMENT = 100_000;
    private static final long BYTES = 32 << 20;
    private static final int DISTINCT = 100_000;
    // The other columns have numbers from 0 up to less than this one
    private static final int UNSORTED_VALUES = 1_000;

    private final Warehouse warehouse;
    private final String origin;

    /**
     * Opens the warehouse of a catalog.
     *
     * @param folder the one that the catalog calls {@code local:///}
     * @param origin the build that writes the tables; a table of another one is replaced
     */
    public ManyRowGroups(Path folder, String origin)
    {
        this.origin = requireNonNull(origin, "origin is null");
        Path root = folder.toAbsolutePath();
        warehouse = new Warehouse(new LocalFileSystem(root), Location.of("local:///"), _ -> BIGINT, WarehouseOptions.DEFAULT.withLocalRoot(root));
    }

    public static String table(int rowGroups)
    {
        return "row_groups_" + rowGroups;
    }

    /**
     * Creates a table unless it exists and this build has written it. Row group {@code i} has the values from
     * {@code 10 * i} to {@code 10 * i + 9} in its first column, and numbers from 0 up to less than 1,000 in the other
     * ones.
     */
    public void prepare(int rowGroups)
    {
        checkArgument(rowGroups > 0, "rowGroups is not positive");
        if (!warehouse.schemaExists(SCHEMA)) {
            warehouse.createSchema(SCHEMA, Optional.empty(), ImmutableMap.of());
        }
        Optional<AlbisTable> existing = warehouse.loadTable(SCHEMA, table(rowGroups));
        if (existing.isPresent()) {
            if (existing.get().version().comment().equals(Optional.of(origin))) {
                return;
            }
            warehouse.dropTable(existing.get());
        }
        SplittableRandom random = new SplittableRandom(1);
        List<RowGroup> all = range(0, rowGroups)
                .mapToObj(index -> rowGroup(index, random))
                .collect(toImmutableList());
        warehouse.createTable(warehouse.newTable(SCHEMA, table(rowGroups), definition()), new TableRows(all, sketches()));
    }

    private TableDefinition definition()
    {
        return new TableDefinition(
                rangeClosed(1, COLUMNS)
                        .mapToObj(id -> new TableColumn(id, "column_" + id, BIGINT, true, Optional.empty()))
                        .collect(toImmutableList()),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, columnIds())),
                ImmutableMap.of(),
                Optional.of(origin),
                Optional.empty());
    }

    private static RowGroup rowGroup(int index, SplittableRandom random)
    {
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        long least = (long) SORTED_VALUES * index;
        statistics.add(statistics(1, least, least + SORTED_VALUES - 1));
        for (int id = 2; id <= COLUMNS; id++) {
            statistics.add(statistics(id, 0, random.nextLong(UNSORTED_VALUES)));
        }
        return new RowGroup(
                randomId(random),
                ROWS,
                ImmutableList.of(new ColumnGroupInstance(randomId(random), columnIds(), BYTES, ROWS_OF_SEGMENT)),
                statistics.build());
    }

    private static ColumnStatistics statistics(int id, long least, long greatest)
    {
        return new ColumnStatistics(id, 0, ValueOrder.UNORDERED, Optional.of(bound(least)), Optional.of(bound(greatest)), Optional.of("bigint"));
    }

    private static ColumnSketches sketches()
    {
        HyperLogLog distinct = HyperLogLog.newInstance(2048);
        for (long value = 0; value < DISTINCT; value++) {
            distinct.add(value);
        }
        Slice bytes = distinct.serialize();
        return ColumnSketches.of(rangeClosed(1, COLUMNS)
                .mapToObj(id -> new ColumnSketch(id, DISTINCT, 0, bytes))
                .collect(toImmutableList()));
    }

    private static List<Integer> columnIds()
    {
        return rangeClosed(1, COLUMNS).boxed().collect(toImmutableList());
    }

    private static byte[] bound(long value)
    {
        Slice bound = Slices.allocate(Long.BYTES);
        bound.setLong(0, value);
        return bound.getBytes();
    }

    private static UUID randomId(SplittableRandom random)
    {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
