package io.albis.trino.manifest;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.statistics.KeyScratch;
import io.albis.format.statistics.StatisticsCollector;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * A table of row groups in many small manifests that random commits add and change, and a model of its rows. The files
 * of the row groups do not exist. Some row groups have no statistics of the first column, or do not store it. Its
 * values include nulls, NaN, both zeros, and texts whose bounds are truncated.
 */
public final class RandomManifests
{
    public static final AlbisColumn NUMBER = new AlbisColumn(2, "number", BIGINT);

    private final Random random;
    private final AlbisColumn key;
    private final boolean unknown;
    private final Set<String> read = new HashSet<>();
    private final Warehouse warehouse;
    // all rows of each row group, and the positions of those that are deleted
    private final Map<UUID, List<Row>> rowGroups = new LinkedHashMap<>();
    private final Map<UUID, Set<Integer>> deleted = new HashMap<>();

    /**
     * A row of the model.
     *
     * @param key native value of the first column, or null
     * @param number value of the second column
     */
    public record Row(Object key, long number)
    {
        public boolean matches(AlbisColumn column, TupleDomain<AlbisColumn> predicate)
        {
            Map<AlbisColumn, Domain> domains = predicate.getDomains().orElseThrow();
            return domains.getOrDefault(column, Domain.all(column.type())).includesNullableValue(key) &&
                    domains.getOrDefault(NUMBER, Domain.all(BIGINT)).includesNullableValue(number);
        }
    }

    /**
     * @param keyType type of the first column: bigint, double, or varchar
     * @param unknown whether some row groups lack statistics of it, or do not store it
     */
    public RandomManifests(Random random, Type keyType, boolean unknown)
    {
        this.random = random;
        this.key = new AlbisColumn(1, "key", keyType);
        this.unknown = unknown;
        HookedFileSystem counted = new HookedFileSystem(new MemoryFileSystem(), new Hook()
        {
            @Override
            public void after(Operation operation)
            {
                if (operation.kind() == Kind.READ && operation.location().path().contains("/manifests/")) {
                    read.add(operation.location().fileName());
                }
            }
        });
        warehouse = new Warehouse(
                counted,
                ROOT,
                typeId -> typeId.equals("bigint") ? BIGINT : keyType,
                WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(new ManifestOptions(ManifestSource.FILES, 2000, 6000)));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(
                ImmutableList.of(new TableColumn(1, key.name(), keyType, true, Optional.empty()), new TableColumn(2, NUMBER.name(), BIGINT, true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(1)), new TableColumnGroup(AlbisLayout.BLOCK, ImmutableList.of(2))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
        warehouse.createTable(warehouse.newTable("s", "t", definition), TableRows.NONE);
    }

    public AlbisColumn key()
    {
        return key;
    }

    /**
     * Returns the newest version of the table, of which no manifest was read.
     */
    public AlbisTable load()
    {
        AlbisTable table = warehouse.loadTable("s", "t").orElseThrow();
        read.clear();
        return table;
    }

    /**
     * Returns the number of manifests that were read since the last {@link #load}.
     */
    public int manifestsRead()
    {
        return read.size();
    }

    /**
     * Returns the rows of a row group that are not deleted.
     */
    public List<Row> rows(UUID rowGroup)
    {
        List<Row> all = rowGroups.get(rowGroup);
        ImmutableList.Builder<Row> live = ImmutableList.builder();
        for (int position = 0; position < all.size(); position++) {
            if (!deleted.getOrDefault(rowGroup, ImmutableSet.of()).contains(position)) {
                live.add(all.get(position));
            }
        }
        return live.build();
    }

    /**
     * Returns the rows of the table that match a predicate.
     */
    public List<Row> rows(TupleDomain<AlbisColumn> predicate)
    {
        ImmutableList.Builder<Row> matching = ImmutableList.builder();
        for (UUID rowGroup : rowGroups.keySet()) {
            rows(rowGroup).stream()
                    .filter(row -> row.matches(key, predicate))
                    .forEach(matching::add);
        }
        return matching.build();
    }

    /**
     * Commits row groups whose values are around centers that increase with the number of the row group, or are random.
     *
     * @param width about how far the values of a row group are from its center
     */
    public void append(int count, boolean ascending, int width)
    {
        List<RowGroup> added = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int center = ascending ? 100 * (rowGroups.size() + 1) : random.nextInt(5000);
            added.add(rowGroup(center, width));
        }
        warehouse.append(load(), TableRows.withoutSketches(added), ReadSet.BLIND);
    }

    private RowGroup rowGroup(int center, int width)
    {
        boolean constant = random.nextInt(8) == 0;
        boolean onlyNull = random.nextInt(20) == 0;
        boolean isStored = !unknown || random.nextInt(20) > 0;
        boolean hasNulls = random.nextInt(3) == 0;
        long number = random.nextInt(4);
        List<Row> rows = new ArrayList<>();
        Object first = value(center, width);
        for (int row = random.nextInt(6); row >= 0; row--) {
            Object value = onlyNull || !isStored || (hasNulls && random.nextInt(3) == 0) ? null : constant ? first : value(center, width);
            rows.add(new Row(value, random.nextInt(5) == 0 ? random.nextInt(4) : number));
        }
        ImmutableList.Builder<ColumnGroupInstance> columnGroups = ImmutableList.builder();
        ImmutableList.Builder<ColumnStatistics> statistics = ImmutableList.builder();
        if (isStored) {
            columnGroups.add(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 50));
            if (!unknown || random.nextInt(20) > 0) {
                statistics.add(statistics(key, rows.stream().map(Row::key).toList()));
            }
        }
        columnGroups.add(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 100, 50));
        statistics.add(statistics(NUMBER, rows.stream().<Object>map(Row::number).toList()));
        RowGroup rowGroup = new RowGroup(UUID.randomUUID(), rows.size(), columnGroups.build(), statistics.build());
        rowGroups.put(rowGroup.id(), rows);
        return rowGroup;
    }

    private Object value(int center, int width)
    {
        int value = center + random.nextInt(2 * width + 1) - width;
        if (key.type().equals(BIGINT)) {
            return (long) value;
        }
        if (key.type().equals(DOUBLE)) {
            return switch (random.nextInt(12)) {
                case 0 -> Double.NaN;
                case 1 -> -0.0;
                case 2 -> 0.0;
                case 3 -> Double.POSITIVE_INFINITY;
                default -> value - 2500.0;
            };
        }
        // bounds have less than 64 bytes
        String text = "%06d".formatted(Math.max(value, 0));
        return utf8Slice(random.nextInt(4) == 0 ? text + "x".repeat(70) + random.nextInt(3) : text);
    }

    private static ColumnStatistics statistics(AlbisColumn column, List<Object> values)
    {
        Type type = column.type();
        BlockBuilder builder = type.createBlockBuilder(null, values.size());
        values.forEach(value -> writeNativeValue(type, builder, value));
        StatisticsCollector collector = StatisticsCollector.create(column, new KeyScratch());
        ValueBlock block = builder.buildValueBlock();
        collector.append(block, 0, values.size());
        return collector.finish().withBoundsType(type.getTypeId().getId());
    }

    /**
     * Deletes rows of some row groups, and removes others.
     */
    public void delete(int count)
    {
        AlbisTable table = load();
        Map<UUID, DeletedRows> deletes = new HashMap<>();
        Set<UUID> removed = new HashSet<>();
        for (int i = 0; i < count && !rowGroups.isEmpty(); i++) {
            UUID rowGroup = ImmutableList.copyOf(rowGroups.keySet()).get(random.nextInt(rowGroups.size()));
            if (random.nextInt(3) == 0 && !deletes.containsKey(rowGroup)) {
                removed.add(rowGroup);
                rowGroups.remove(rowGroup);
                deleted.remove(rowGroup);
                continue;
            }
            Set<Integer> positions = deleted.computeIfAbsent(rowGroup, _ -> new HashSet<>());
            if (positions.add(random.nextInt(rowGroups.get(rowGroup).size()))) {
                deletes.put(rowGroup, new DeletedRows(UUID.randomUUID(), 32, 100, 0, positions.size()));
            }
        }
        if (deletes.isEmpty() && removed.isEmpty()) {
            return;
        }
        warehouse.change(table, new RowChange(TableRows.NONE, deletes, removed, DELETE), ReadSet.ofDelete(Scan.of(TupleDomain.all())));
        // The commit drops row groups without live rows
        deletes.keySet().forEach(rowGroup -> {
            if (deleted.get(rowGroup).size() == rowGroups.get(rowGroup).size()) {
                rowGroups.remove(rowGroup);
                deleted.remove(rowGroup);
            }
        });
    }

    /**
     * Makes several random changes.
     */
    public void change()
    {
        boolean ascending = random.nextInt(3) > 0;
        int width = random.nextBoolean() ? 60 : 3000;
        for (int commit = random.nextInt(6); commit >= 0; commit--) {
            append(1 + random.nextInt(random.nextInt(3) == 0 ? 80 : 5), ascending, width);
            if (random.nextInt(3) == 0) {
                delete(1 + random.nextInt(8));
            }
        }
    }

    public TupleDomain<AlbisColumn> predicate()
    {
        Map<AlbisColumn, Domain> domains = new HashMap<>();
        switch (random.nextInt(5)) {
            case 0 -> domains.put(key, random.nextBoolean() ? Domain.notNull(key.type()) : Domain.onlyNull(key.type()));
            case 1 -> domains.put(key, Domain.create(range(), random.nextBoolean()));
            case 2 -> domains.put(NUMBER, Domain.singleValue(BIGINT, (long) random.nextInt(4)));
            case 3 -> domains.put(NUMBER, Domain.create(ValueSet.ofRanges(Range.greaterThanOrEqual(BIGINT, (long) random.nextInt(2))), false));
            default -> {}
        }
        return TupleDomain.withColumnDomains(domains);
    }

    private ValueSet range()
    {
        Type type = key.type();
        int limit = random.nextInt(6000);
        Object value = type.equals(BIGINT) ? (Object) (long) limit : type.equals(DOUBLE) ? (Object) (limit - 2500.0) : utf8Slice("%06d".formatted(limit));
        return ValueSet.ofRanges(random.nextBoolean() ? Range.lessThan(type, value) : Range.greaterThanOrEqual(type, value));
    }

    public static Type randomType(Random random)
    {
        return switch (random.nextInt(3)) {
            case 0 -> BIGINT;
            case 1 -> DOUBLE;
            default -> VARCHAR;
        };
    }
}
