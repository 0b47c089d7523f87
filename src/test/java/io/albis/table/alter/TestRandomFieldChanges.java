package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slices;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.type.FieldTree;
import io.albis.format.type.LocalTypeResolver;
import io.albis.format.type.NestedKind;
import io.albis.format.update.ColumnRewriter;
import io.albis.format.update.RowUpdates;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.alter.FieldChange.AddField;
import io.albis.table.alter.FieldChange.DropField;
import io.albis.table.alter.FieldChange.RenameField;
import io.albis.table.alter.FieldChange.SetFieldType;
import io.albis.table.alter.FieldModel.Child;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random changes of fields with rows, updates, and returns to earlier versions in between, compared with a model. All
 * versions are read, also the earlier ones, with all fields and with single ones.
 */
final class TestRandomFieldChanges
{
    private static final int COLUMN = 1;
    private static final int STEPS = 25;
    private static final List<Type> SCALARS = ImmutableList.of(INTEGER, BIGINT, REAL, DOUBLE, createVarcharType(10), VARCHAR);
    private static final Map<Type, Type> WIDER = ImmutableMap.of(INTEGER, BIGINT, REAL, DOUBLE, createVarcharType(10), VARCHAR);

    private Random random;
    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;
    private int nextKey;
    private State state;
    // by the number of the version
    private Map<Long, State> states;

    /**
     * What a version shows.
     *
     * @param rows by the id of their row group, values with the fields with which they were written
     */
    private record State(FieldModel model, Map<UUID, List<Object>> rows)
    {
        State withModel(FieldModel model)
        {
            return new State(model, rows);
        }

        State withRows(UUID rowGroup, List<Object> values)
        {
            Map<UUID, List<Object>> changed = new HashMap<>(rows);
            changed.put(rowGroup, values);
            return new State(model, changed);
        }
    }

    @Test
    void testSomeRuns()
            throws IOException
    {
        run(4);
    }

    @Test
    @Tag("slow")
    void testManyRuns()
            throws IOException
    {
        run(200);
    }

    private void run(int runs)
            throws IOException
    {
        Random seeds = new Random();
        for (int run = 0; run < runs; run++) {
            long seed = seeds.nextLong();
            try {
                runOnce(seed);
            }
            catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Failed with seed " + seed, e);
            }
        }
    }

    private void runOnce(long seed)
            throws IOException
    {
        random = new Random(seed);
        fileSystem = new MemoryFileSystem();
        warehouse = new Warehouse(fileSystem, ROOT, new LocalTypeResolver(), WarehouseOptions.DEFAULT.withPolicy(POLICY));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        nextKey = 0;
        state = new State(randomRow(3), ImmutableMap.of());
        states = new HashMap<>();
        TableDefinition definition = new TableDefinition(
                ImmutableList.of(new TableColumn(COLUMN, "c", state.model().type(), true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(COLUMN))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
        AlbisTable table = warehouse.createTable(warehouse.newTable("s", "t", definition), TableRows.NONE);
        states.put(1L, state);
        table = append(table);
        states.put(2L, state);
        for (int step = 0; step < STEPS; step++) {
            table = step(table);
            states.put(table.version().version(), state);
            assertThat(load(warehouse, "s", "t").version()).isEqualTo(table.version());
            assertThat(table.version().columns().getFirst().type()).isEqualTo(state.model().type());
            check(table);
        }
        TableHistory history = warehouse.history(table);
        for (Map.Entry<Long, State> entry : states.entrySet()) {
            state = entry.getValue();
            check(warehouse.at(table, history.get(entry.getKey())));
        }
    }

    private FieldModel randomRow(int depth)
    {
        ImmutableList.Builder<Child> fields = ImmutableList.builder();
        for (int field = 0; field < 1 + random.nextInt(4); field++) {
            fields.add(newChild(randomModel(depth - 1)));
        }
        return FieldModel.of(NestedKind.ROW, fields.build());
    }

    private FieldModel randomModel(int depth)
    {
        if (depth <= 0 || random.nextInt(3) == 0) {
            return FieldModel.of(SCALARS.get(random.nextInt(SCALARS.size())));
        }
        return switch (random.nextInt(4)) {
            case 0 -> FieldModel.of(NestedKind.ARRAY, ImmutableList.of(newChild(randomModel(depth - 1))));
            case 1 -> FieldModel.of(NestedKind.MAP, ImmutableList.of(newChild(FieldModel.of(INTEGER)), newChild(randomModel(depth - 1))));
            default -> randomRow(depth);
        };
    }

    private Child newChild(FieldModel model)
    {
        nextKey++;
        // names are used again
        return new Child(nextKey, "f" + nextKey % 7 + "_" + nextKey, model);
    }

    private AlbisTable step(AlbisTable table)
            throws IOException
    {
        List<Integer> path = random(state.model().paths());
        FieldModel part = state.model().at(path);
        return switch (random.nextInt(10)) {
            case 0, 1 -> append(table);
            case 2 -> part.isRow() ? addField(table, path, part) : append(table);
            case 3, 4 -> part.isRow() && part.children().size() > 1 ? dropField(table, path, part) : addFieldToColumn(table);
            case 5 -> part.isRow() ? renameField(table, path, part) : addFieldToColumn(table);
            case 6 -> part.scalar().isPresent() && WIDER.containsKey(part.scalar().get()) ? widen(table, path, part) : addFieldToColumn(table);
            case 7 -> part.isRow() ? setFields(table, path, part) : addFieldToColumn(table);
            case 8 -> update(table);
            default -> rollback(table);
        };
    }

    private <T> T random(List<T> list)
    {
        return list.get(random.nextInt(list.size()));
    }

    private static List<Integer> ids(AlbisTable table, List<Integer> path)
    {
        TableColumn column = table.version().columns().getFirst();
        return FieldModel.ids(new FieldTree(column.type(), column.fields()), path);
    }

    private AlbisTable addFieldToColumn(AlbisTable table)
    {
        return addField(table, ImmutableList.of(), state.model());
    }

    private AlbisTable addField(AlbisTable table, List<Integer> path, FieldModel row)
    {
        Child added = newChild(randomModel(2));
        // the name of a field that was dropped
        Child named = new Child(added.key(), "again", added.model());
        Child child = row.children().stream().anyMatch(field -> field.name().equals("again")) ? added : named;
        state = state.withModel(state.model().with(path, FieldModel.of(NestedKind.ROW, ImmutableList.<Child>builder().addAll(row.children()).add(child).build())));
        return warehouse.alter(table, new AddField(COLUMN, ids(table, path), child.name(), child.model().type(), false));
    }

    private AlbisTable dropField(AlbisTable table, List<Integer> path, FieldModel row)
    {
        int index = random.nextInt(row.children().size());
        List<Child> rest = new ArrayList<>(row.children());
        rest.remove(index);
        state = state.withModel(state.model().with(path, FieldModel.of(NestedKind.ROW, rest)));
        return warehouse.alter(table, new DropField(COLUMN, ids(table, append(path, index))));
    }

    private AlbisTable renameField(AlbisTable table, List<Integer> path, FieldModel row)
    {
        int index = random.nextInt(row.children().size());
        Child child = row.children().get(index);
        nextKey++;
        String name = "renamed_" + nextKey;
        List<Child> fields = new ArrayList<>(row.children());
        fields.set(index, new Child(child.key(), name, child.model()));
        state = state.withModel(state.model().with(path, FieldModel.of(NestedKind.ROW, fields)));
        return warehouse.alter(table, new RenameField(COLUMN, ids(table, append(path, index)), name));
    }

    private AlbisTable widen(AlbisTable table, List<Integer> path, FieldModel scalar)
    {
        Type wider = WIDER.get(scalar.scalar().orElseThrow());
        state = state.withModel(state.model().with(path, FieldModel.of(wider)));
        return warehouse.alter(table, new SetFieldType(COLUMN, ids(table, path), wider));
    }

    /**
     * Removes, adds, and moves fields of a row.
     */
    private AlbisTable setFields(AlbisTable table, List<Integer> path, FieldModel row)
    {
        List<Child> fields = new ArrayList<>(row.children());
        if (random.nextBoolean()) {
            fields.remove(random.nextInt(fields.size()));
        }
        while (fields.isEmpty() || random.nextBoolean()) {
            fields.add(newChild(randomModel(2)));
        }
        Collections.shuffle(fields, random);
        FieldModel changed = FieldModel.of(NestedKind.ROW, fields);
        state = state.withModel(state.model().with(path, changed));
        return path.isEmpty() && random.nextBoolean()
                ? warehouse.alter(table, new SchemaChange.SetType(COLUMN, changed.type()))
                : warehouse.alter(table, new SetFieldType(COLUMN, ids(table, path), changed.type()));
    }

    private static List<Integer> append(List<Integer> path, int index)
    {
        return ImmutableList.<Integer>builder().addAll(path).add(index).build();
    }

    private AlbisTable append(AlbisTable table)
            throws IOException
    {
        List<Object> values = randomValues(random.nextInt(20) == 0 ? 9_000 : 1 + random.nextInt(20));
        WriterOptions options = WriterOptions.DEFAULTS.withSegmentBytes(WriterOptions.MIN_SEGMENT_BYTES << random.nextInt(12)).withRowGroupBytes(1L << 40);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, table.folder(), table.version().schema(), options);
        writer.append(new Page(block(values)));
        RowGroup rowGroup = getOnlyElement(writer.finish());
        state = state.withRows(rowGroup.id(), values);
        return warehouse.append(table, TableRows.withoutSketches(ImmutableList.of(rowGroup)), ReadSet.BLIND);
    }

    private List<Object> randomValues(int count)
    {
        List<Object> values = new ArrayList<>();
        for (int row = 0; row < count; row++) {
            values.add(state.model().randomValue(random, true));
        }
        return values;
    }

    private Block block(List<Object> values)
    {
        BlockBuilder builder = state.model().type().createBlockBuilder(null, values.size());
        values.forEach(value -> state.model().append(builder, value));
        return builder.build();
    }

    /**
     * Writes a column group again with the fields that the column has now, some of whose rows have new values.
     */
    private AlbisTable update(AlbisTable table)
            throws IOException
    {
        RowGroup rowGroup = random(table.rowGroups());
        List<Object> values = new ArrayList<>();
        state.rows().get(rowGroup.id()).forEach(value -> values.add(state.model().project(value)));
        IntArrayList positions = new IntArrayList();
        for (int row = 0; row < values.size(); row++) {
            if (random.nextInt(3) == 0) {
                positions.add(row);
            }
        }
        List<Object> newValues = randomValues(positions.size());
        for (int i = 0; i < newValues.size(); i++) {
            values.set(positions.getInt(i), newValues.get(i));
        }
        RowUpdates updates = new RowUpdates();
        if (!positions.isEmpty()) {
            updates.add(positions, new Block[] {block(newValues)});
        }
        RowGroup written = ColumnRewriter.rewrite(fileSystem, table.folder(), rowGroup, table.version().schema().columnGroups(), WriterOptions.DEFAULTS, ImmutableList.of(COLUMN), updates, UUID::randomUUID);
        state = state.withRows(rowGroup.id(), values);
        return warehouse.change(table, new RowChange(TableRows.NONE, ImmutableMap.of(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(written)), OVERWRITE), ReadSet.wholeTable());
    }

    private AlbisTable rollback(AlbisTable table)
    {
        // rows are in all versions except the first one
        long number = 2 + random.nextLong(Math.max(table.version().version() - 1, 1));
        if (number >= table.version().version()) {
            return addFieldToColumn(table);
        }
        state = states.get(number);
        return warehouse.rollback(table, number);
    }

    private void check(AlbisTable table)
            throws IOException
    {
        AlbisColumn column = table.version().columns().getFirst().toAlbisColumn();
        for (RowGroup rowGroup : table.rowGroups()) {
            List<Object> rows = state.rows().get(rowGroup.id());
            List<Object> expected = new ArrayList<>();
            rows.forEach(value -> expected.add(state.model().project(value)));
            assertThat(read(table, rowGroup, column, state.model(), TupleDomain.all())).isEqualTo(expected);
            checkPart(table, rowGroup, column, expected);
        }
    }

    /**
     * Reads a part to which only rows lead, and filters by it.
     */
    private void checkPart(AlbisTable table, RowGroup rowGroup, AlbisColumn column, List<Object> rows)
            throws IOException
    {
        List<List<Integer>> paths = state.model().paths().stream()
                .filter(this::hasOnlyRowsAbove)
                .toList();
        List<Integer> path = random(paths);
        FieldModel model = state.model().at(path);
        FieldTree tree = new FieldTree(column.type(), column.fields());
        for (int index : path) {
            tree = tree.children().get(index).tree();
        }
        AlbisColumn part = new AlbisColumn(COLUMN, "part", tree.type(), Optional.empty(), tree.fields(), ids(table, path));
        List<Object> expected = new ArrayList<>();
        rows.forEach(value -> expected.add(state.model().part(value, path)));
        assertThat(read(table, rowGroup, part, model, TupleDomain.all())).isEqualTo(expected);
        List<Object> notNull = expected.stream().filter(Objects::nonNull).toList();
        assertThat(read(table, rowGroup, part, model, domain(part, Domain.notNull(part.type())))).isEqualTo(notNull);
        assertThat(read(table, rowGroup, part, model, domain(part, Domain.onlyNull(part.type())))).isEqualTo(Collections.nCopies(expected.size() - notNull.size(), null));
        if (part.type() == BIGINT || part.type() == VARCHAR) {
            Object value = notNull.isEmpty() ? "v1" : random(notNull);
            Domain single = Domain.singleValue(part.type(), part.type() == BIGINT ? notNull.isEmpty() ? 1L : value : Slices.utf8Slice(value.toString()));
            assertThat(read(table, rowGroup, part, model, domain(part, single))).isEqualTo(notNull.stream().filter(value::equals).toList());
        }
    }

    private static TupleDomain<AlbisColumn> domain(AlbisColumn column, Domain domain)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(column, domain));
    }

    private boolean hasOnlyRowsAbove(List<Integer> path)
    {
        for (int length = 0; length < path.size(); length++) {
            if (!state.model().at(path.subList(0, length)).isRow()) {
                return false;
            }
        }
        return true;
    }

    private List<Object> read(AlbisTable table, RowGroup rowGroup, AlbisColumn column, FieldModel model, TupleDomain<AlbisColumn> predicate)
            throws IOException
    {
        List<Object> values = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, table.folder(), rowGroup, RowGroupScan.of(ImmutableList.of(column), predicate), ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                Block block = batch.block(0);
                for (int position = 0; position < batch.positionCount(); position++) {
                    values.add(model.value(column.type(), block, position));
                }
            }
        }
        return values;
    }
}
