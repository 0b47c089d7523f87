package io.albis.table.row;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.model.IsolationLevel;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableException;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChangeModel.Keys;
import io.albis.table.row.RowChangeModel.ModelRowGroup;
import io.albis.table.row.RowChangeModel.State;
import io.albis.table.row.RowChangeModel.Statement;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

import static io.albis.format.statistics.ValueOrder.UNORDERED;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several clients change the rows of a table, compared with a model. They start from old versions, others commit while
 * they are about to put theirs, and the answers of the storage get lost.
 */
class TestRandomRowChanges
{
    private static final String SEED = "table-changes.seed";
    private static final int CLIENTS = 4;
    private static final int STATEMENTS = 60;
    private static final int MAX_KEY = 400;
    private static final AlbisColumn KEY = AlbisColumn.make(1, "id", BIGINT);

    private final List<Client> clients = new ArrayList<>();
    // The states by version
    private final Map<Long, State> states = new HashMap<>();
    private final Map<UUID, Long> addedVersions = new HashMap<>();
    private int conflicts;
    private int lostRaces;
    private int lostAnswers;

    private MemoryFileSystem fileSystem;
    private Random random;
    private IsolationLevel isolation;
    private long pieceLength;
    private State current;
    private long version;

    @Test
    void testSomeRuns()
            throws IOException
    {
        run(20);
    }

    @Test
    @Tag("slow")
    void testManyRuns()
            throws IOException
    {
        run(2_000);
    }

    private void run(int runs)
            throws IOException
    {
        Long repeated = Long.getLong(SEED);
        if (repeated != null) {
            runOnce(repeated);
            return;
        }
        long firstSeed = new Random().nextLong();
        System.out.println("Row changes from seed " + firstSeed);
        for (int run = 0; run < runs; run++) {
            long seed = firstSeed + run;
            try {
                runOnce(seed);
            }
            catch (AssertionError | RuntimeException e) {
                throw new AssertionError("Repeat with -D%s=%s".formatted(SEED, seed), e);
            }
        }
        System.out.printf("%s conflicts, %s lost races, %s lost answers%n", conflicts, lostRaces, lostAnswers);
        assertThat(conflicts).isGreaterThan(runs);
        assertThat(lostRaces).isGreaterThan(runs);
        assertThat(lostAnswers).isGreaterThan(runs);
    }

    private void runOnce(long seed)
            throws IOException
    {
        fileSystem = new MemoryFileSystem();
        random = new Random(seed);
        isolation = random.nextBoolean() ? SERIALIZABLE : SNAPSHOT;
        // Manifests that are rewritten always, never, and according to their size
        pieceLength = List.of(2_000L, 20_000L, 200_000L, 4L << 20).get(random.nextInt(4));
        ManifestOptions manifests = new ManifestOptions(ManifestSource.FILES, pieceLength, 8 << 20);
        clients.clear();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new Client(manifests));
        }
        Warehouse warehouse = clients.getFirst().warehouse;
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(IsolationLevel.PROPERTY, isolation.name()), Optional.empty(), Optional.empty());
        warehouse.createTable(warehouse.newTable("s", "t", definition), TableRows.NONE);
        states.clear();
        current = new State(ImmutableMap.of(), 0, ImmutableList.of(), ImmutableList.of());
        version = 1;
        states.put(version, current);
        for (int i = 0; i < STATEMENTS; i++) {
            clients.get(random.nextInt(CLIENTS)).runStatement(true);
            check(load(warehouse, "s", "t"));
        }
    }

    private final class Client
            implements Hook
    {
        private final Warehouse warehouse;
        private AlbisTable base;
        private Statement statement;
        private boolean committed;
        private boolean mayBeDisturbed;

        private Client(ManifestOptions manifests)
        {
            this.warehouse = new Warehouse(new HookedFileSystem(fileSystem, this), ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY).withManifests(manifests));
        }

        @Override
        public void before(Operation operation)
                throws IOException
        {
            if (isPut(operation) && mayBeDisturbed && random.nextInt(3) == 0) {
                // Others commit while this client stalls before it puts the version
                mayBeDisturbed = random.nextBoolean();
                otherClient().runStatement(false);
                lostRaces++;
            }
        }

        @Override
        public void after(Operation operation)
                throws IOException
        {
            if (!isPut(operation)) {
                return;
            }
            current = statement.apply(current, isolation).orElseThrow(() -> new AssertionError("A commit with a conflict: " + statement));
            version++;
            states.put(version, current);
            statement.added().keySet().forEach(id -> addedVersions.put(id, version));
            committed = true;
            if (random.nextInt(5) == 0) {
                if (mayBeDisturbed && random.nextBoolean()) {
                    mayBeDisturbed = false;
                    otherClient().runStatement(false);
                }
                lostAnswers++;
                throw new IOException("lost answer");
            }
        }

        private boolean isPut(Operation operation)
        {
            return operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/") && statement != null;
        }

        private Client otherClient()
        {
            Client other;
            do {
                other = clients.get(random.nextInt(CLIENTS));
            }
            while (other == this);
            return other;
        }

        private void runStatement(boolean mayBeDisturbed)
                throws IOException
        {
            if (base == null || random.nextInt(3) == 0) {
                base = load(warehouse, "s", "t");
                check(base);
            }
            this.mayBeDisturbed = mayBeDisturbed;
            committed = false;
            State before = states.get(base.version().version());
            AlbisTable result;
            try {
                result = switch (random.nextInt(15)) {
                    case 0, 1, 2, 3 -> insert(before);
                    case 4, 5, 6 -> delete(before);
                    case 7, 8, 9 -> update(before);
                    case 10 -> insertSelect(before);
                    case 11 -> rollback(before);
                    case 12, 13 -> regroup(before);
                    default -> truncate(before);
                };
            }
            catch (TableException e) {
                assertThat(e.reason()).as(e.getMessage()).isEqualTo(CONFLICT);
                assertThat(committed).as(e.getMessage()).isFalse();
                assertThat(statement.apply(current, isolation)).as(e.getMessage()).isEmpty();
                conflicts++;
                statement = null;
                return;
            }
            if (!committed && result != base) {
                assertThat(statement.apply(current, isolation)).as("nothing changed").contains(current);
            }
            statement = null;
            // The next statement may start from this version or from the old one
            base = random.nextBoolean() ? result : base;
        }

        private AlbisTable insert(State before)
        {
            Map<UUID, ModelRowGroup> added = newRowGroups(1 + (random.nextInt(4) == 0 ? random.nextInt(40) : 0));
            statement = new Statement(before, added, Map.of(), Set.of(), Optional.empty(), false);
            return warehouse.append(base, rows(added), ReadSet.BLIND);
        }

        private AlbisTable insertSelect(State before)
        {
            Keys keys = randomKeys();
            Map<UUID, ModelRowGroup> added = newRowGroups(1);
            statement = new Statement(before, added, Map.of(), Set.of(), Optional.of(keys), false);
            return warehouse.append(base, rows(added), ReadSet.ofScans(ImmutableList.of(Scan.of(predicate(keys)))));
        }

        private AlbisTable delete(State before)
                throws IOException
        {
            Keys keys = randomKeys();
            Map<UUID, BitSet> deleted = selected(before, keys);
            Set<UUID> whole = new HashSet<>();
            deleted.keySet().stream().filter(id -> isWhole(before.rowGroups().get(id), keys) && random.nextBoolean()).forEach(whole::add);
            statement = new Statement(before, Map.of(), deleted, whole, Optional.of(keys), true);
            AlbisTable result = warehouse.change(base, new RowChange(TableRows.NONE, writeDeletes(before, deleted, whole), whole, DELETE), ReadSet.ofDelete(Scan.of(predicate(keys))));
            if (committed && isolation == SERIALIZABLE) {
                // As if the statement had begun when it was committed
                State after = states.get(result.version().version());
                assertThat(selected(after, keys)).isEmpty();
                if (whole.isEmpty()) {
                    assertThat(result.version().summary()).containsEntry("deleted-records", String.valueOf(deleted.values().stream().mapToInt(BitSet::cardinality).sum()));
                }
            }
            return result;
        }

        private AlbisTable update(State before)
                throws IOException
        {
            Keys keys = randomKeys();
            Map<UUID, BitSet> deleted = selected(before, keys);
            Map<UUID, ModelRowGroup> added = deleted.isEmpty() ? Map.of() : newRowGroups(1);
            statement = new Statement(before, added, deleted, Set.of(), Optional.of(keys), false);
            AlbisTable result = warehouse.change(base, new RowChange(rows(added), writeDeletes(before, deleted, Set.of()), ImmutableSet.of(), OVERWRITE), ReadSet.ofScans(ImmutableList.of(Scan.of(predicate(keys)))));
            if (committed && isolation == SERIALIZABLE) {
                Map<UUID, BitSet> remaining = selected(states.get(result.version().version()), keys);
                assertThat(added.keySet()).containsAll(remaining.keySet());
            }
            return result;
        }

        /**
         * Changes no rows, and conflicts with no statement but a rollback.
         */
        private AlbisTable regroup(State before)
        {
            boolean together = random.nextBoolean();
            ImmutableList.Builder<RowGroup> regrouped = ImmutableList.builder();
            for (RowGroup rowGroup : base.rowGroups()) {
                if (random.nextInt(3) > 0) {
                    List<List<Integer>> groups = together ? ImmutableList.of(ImmutableList.of(2, 1)) : ImmutableList.of(ImmutableList.of(1), ImmutableList.of(2));
                    List<ColumnGroupInstance> instances = groups.stream()
                            .map(columns -> new ColumnGroupInstance(UUID.randomUUID(), columns, 10 / groups.size(), 20 / groups.size()))
                            .toList();
                    regrouped.add(new RowGroup(rowGroup.id(), rowGroup.rows(), instances, rowGroup.statistics()));
                }
            }
            statement = new Statement(before, Map.of(), Map.of(), Set.of(), Optional.empty(), false);
            return warehouse.regroup(base, base.version().columnGroups(), TableRows.withoutSketches(regrouped.build()));
        }

        private AlbisTable truncate(State before)
        {
            statement = Statement.truncate(before);
            return warehouse.truncate(base);
        }

        private AlbisTable rollback(State before)
        {
            long newest = base.version().version();
            if (newest == 1) {
                return truncate(before);
            }
            long number = 1 + random.nextLong(newest - 1);
            statement = Statement.rollback(before, states.get(number));
            return warehouse.rollback(base, number);
        }

        private Map<UUID, DeletedRows> writeDeletes(State before, Map<UUID, BitSet> deleted, Set<UUID> whole)
                throws IOException
        {
            DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
            Map<UUID, DeletedRows> references = new HashMap<>();
            for (Map.Entry<UUID, BitSet> entry : deleted.entrySet()) {
                if (!whole.contains(entry.getKey())) {
                    BitSet all = before.rowGroups().get(entry.getKey()).delete(entry.getValue()).deleted();
                    references.put(entry.getKey(), writer.add(DeletedPositions.of(all.stream().toArray())));
                }
            }
            writer.close();
            return references;
        }
    }

    private static boolean isWhole(ModelRowGroup rowGroup, Keys keys)
    {
        return keys.contains(rowGroup.low()) && keys.contains(rowGroup.low() + rowGroup.rows() - 1);
    }

    private static Map<UUID, BitSet> selected(State state, Keys keys)
    {
        return state.rowGroups().entrySet().stream()
                .filter(rowGroup -> !rowGroup.getValue().select(keys).isEmpty())
                .collect(toMap(Map.Entry::getKey, rowGroup -> rowGroup.getValue().select(keys)));
    }

    private Keys randomKeys()
    {
        long low = random.nextInt(MAX_KEY);
        return new Keys(low, low + (random.nextInt(10) == 0 ? MAX_KEY : random.nextInt(30)));
    }

    private static TupleDomain<AlbisColumn> predicate(Keys keys)
    {
        return TupleDomain.withColumnDomains(ImmutableMap.of(KEY, Domain.create(ValueSet.ofRanges(Range.range(BIGINT, keys.low(), true, keys.high(), true)), false)));
    }

    private Map<UUID, ModelRowGroup> newRowGroups(int count)
    {
        Map<UUID, ModelRowGroup> rowGroups = new HashMap<>();
        for (int i = 0; i < count; i++) {
            rowGroups.put(new UUID(random.nextLong(), random.nextLong()), new ModelRowGroup(random.nextInt(MAX_KEY), 1 + random.nextInt(20), new BitSet()));
        }
        return rowGroups;
    }

    private TableRows rows(Map<UUID, ModelRowGroup> rowGroups)
    {
        ImmutableList.Builder<RowGroup> result = ImmutableList.builder();
        rowGroups.forEach((id, rowGroup) -> result.add(rowGroup(id, rowGroup)));
        return TableRows.withoutSketches(result.build());
    }

    private RowGroup rowGroup(UUID id, ModelRowGroup rowGroup)
    {
        // In many row groups all names are null
        Optional<byte[]> name = random.nextBoolean() ? Optional.of(new byte[] {(byte) ('a' + random.nextInt(3))}) : Optional.empty();
        long nulls = name.isPresent() ? random.nextInt(rowGroup.rows()) : rowGroup.rows();
        return new RowGroup(
                id,
                rowGroup.rows(),
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 10, 20)),
                ImmutableList.of(
                        new ColumnStatistics(1, 0, UNORDERED, Optional.of(bytes(rowGroup.low())), Optional.of(bytes(rowGroup.low() + rowGroup.rows() - 1)), Optional.of("bigint")),
                        new ColumnStatistics(2, nulls, UNORDERED, name, name, Optional.of("varchar"))));
    }

    private static byte[] bytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(LITTLE_ENDIAN).putLong(value).array();
    }

    private void check(AlbisTable table)
            throws IOException
    {
        new TableChecks(fileSystem, addedVersions, pieceLength).check(table, states.get(table.version().version()), predicate(randomKeys()));
    }
}
