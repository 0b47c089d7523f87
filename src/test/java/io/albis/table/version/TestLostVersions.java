package io.albis.table.version;

import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableMap;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.alter.Change;
import io.albis.table.model.NewTable;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * If the newest version of a table is lost, no reader and no writer silently continues with an older one. A hint is
 * ahead of the versions only if a version was lost, whatever writers, readers, and failures of the storage do.
 */
class TestLostVersions
{
    private static final int VERSIONS = 20;

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private AlbisTable table;
    private TablePaths paths;

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        table = createTable(warehouse, "s", "t");
        paths = new TablePaths(table.folder());
        for (int version = 2; version <= VERSIONS; version++) {
            table = warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        }
    }

    @Test
    void testNewestIsLost()
            throws IOException
    {
        for (int lost = 1; lost <= 3; lost++) {
            Map<String, byte[]> before = files(fileSystem, ROOT);
            for (int version = VERSIONS; version > VERSIONS - lost; version--) {
                fileSystem.deleteFile(paths.version(version));
            }
            Set<String> damaged = files(fileSystem, paths.versionsFolder()).keySet();
            assertMissing(() -> warehouse.loadTable("s", "t"));
            assertMissing(() -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND));
            assertMissing(() -> warehouse.alter(table, new Change.TableComment(Optional.of("new"))));
            // Neither a version nor the hint was written
            assertThat(files(fileSystem, paths.versionsFolder()).keySet()).isEqualTo(damaged);
            for (Map.Entry<String, byte[]> file : before.entrySet()) {
                overwrite(fileSystem, file.getKey(), file.getValue());
            }
            assertNewest(VERSIONS);
        }
    }

    /**
     * A writer that knows a version does not continue with an older one either, even if the hint was lost as well.
     */
    @Test
    void testHintIsLostToo()
            throws IOException
    {
        fileSystem.deleteFile(paths.version(VERSIONS));
        fileSystem.deleteFile(paths.hint());
        assertMissing(() -> warehouse.append(table, rows(oneRow()), ReadSet.BLIND));
        assertThat(files(fileSystem, paths.versionsFolder())).doesNotContainKey(paths.version(VERSIONS).toString());
        // Nothing is left that says there was a later version
        assertNewest(VERSIONS - 1);
    }

    /**
     * A copy that was made while others wrote, and not in the documented order, may have a hint that is too new.
     */
    @Test
    void testHintOfACopyIsAhead()
            throws IOException
    {
        fileSystem.deleteFile(paths.version(VERSIONS));
        assertThatThrownBy(() -> warehouse.loadTable("s", "t"))
                .hasMessageContaining("version 20 is missing, and the newest version that exists is 19")
                .hasMessageContaining(paths.hint().toString());
        fileSystem.deleteFile(paths.hint());
        assertNewest(VERSIONS - 1);
        table = warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        assertThat(table.version().version()).isEqualTo(VERSIONS);
    }

    /**
     * The hint of a slow writer arrives after those of later versions.
     */
    @Test
    void testHintsArriveInAnotherOrder()
    {
        Runnable[] others = new Runnable[] {
                () -> {
                    for (int i = 0; i < 3; i++) {
                        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                    }
                },
        };
        Warehouse slow = hooked(new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operation.kind() == Kind.OVERWRITE && operation.location().equals(paths.hint()) && others[0] != null) {
                    Runnable action = others[0];
                    others[0] = null;
                    action.run();
                }
            }
        });
        slow.append(table, rows(oneRow()), ReadSet.BLIND);
        assertNewest(VERSIONS + 4);
        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        assertNewest(VERSIONS + 5);
    }

    /**
     * The response of the put is lost, or the put is. The hint never names a version that does not exist.
     */
    @Test
    void testLostPuts()
            throws IOException
    {
        for (boolean arrives : new boolean[] {true, false}) {
            long newest = load(warehouse, "s", "t").version().version();
            Warehouse failing = hooked(new Hook()
            {
                @Override
                public void before(Operation operation)
                        throws IOException
                {
                    if (!arrives && isPut(operation)) {
                        throw new IOException("lost request");
                    }
                }

                @Override
                public void after(Operation operation)
                        throws IOException
                {
                    if (isPut(operation)) {
                        throw new IOException("lost response");
                    }
                }
            });
            if (arrives) {
                failing.append(table, rows(oneRow()), ReadSet.BLIND);
                assertNewest(newest + 1);
            }
            else {
                assertRefused(OUTCOME_UNKNOWN, () -> failing.append(table, rows(oneRow()), ReadSet.BLIND));
                assertNewest(newest);
            }
        }
    }

    /**
     * A writer dies between its version and the hint, any number of times.
     */
    @Test
    void testHintsAreLost()
    {
        Warehouse failing = hooked(new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.OVERWRITE && operation.location().equals(paths.hint())) {
                    throw new IOException("died");
                }
            }
        });
        for (int i = 1; i <= 20; i++) {
            failing.append(table, rows(oneRow()), ReadSet.BLIND);
            assertThat(load(failing, "s", "t").version().version()).isEqualTo(VERSIONS + i);
        }
        assertNewest(VERSIONS + 20);
    }

    /**
     * A reader reads the hint and stalls. Meanwhile others commit, and maintenance deletes the version of the hint.
     */
    @Test
    void testVersionsExpireWhileAReaderStalls()
    {
        for (int commits = 1; commits <= 5; commits++) {
            long newest = load(warehouse, "s", "t").version().version();
            int later = commits;
            boolean[] done = new boolean[1];
            Warehouse reader = hooked(new Hook()
            {
                @Override
                public void after(Operation operation)
                        throws IOException
                {
                    if (operation.kind() == Kind.READ && operation.location().equals(paths.hint()) && !done[0]) {
                        done[0] = true;
                        for (int i = 0; i < later; i++) {
                            warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                        }
                        for (long version = Math.max(1, newest - 20); version < newest + later; version++) {
                            if (fileSystem.newInputFile(paths.version(version)).exists()) {
                                fileSystem.deleteFile(paths.version(version));
                            }
                        }
                    }
                }
            });
            assertThat(load(reader, "s", "t").version().version()).isEqualTo(newest + commits);
        }
    }

    /**
     * A version in the middle is lost. Time travel to it names its file instead of saying that there was none, and does
     * not return another version. All others can be read.
     */
    @Test
    void testVersionInTheMiddleIsLost()
            throws IOException
    {
        long lost = 7;
        TableHistory history = warehouse.history(table);
        Instant before = history.get(lost - 1).time();
        Instant time = history.get(lost).time();
        Instant after = history.get(lost + 1).time();
        fileSystem.deleteFile(paths.version(lost));
        String message = "version %s is missing. Restore the file %s".formatted(lost, paths.version(lost));
        assertDamaged(message, () -> history.get(lost));
        assertDamaged(message, () -> history.asOf(time));
        assertThat(history.get(lost - 1).version()).isEqualTo(lost - 1);
        assertThat(history.asOf(after).version()).isEqualTo(lost + 1);
        assertThat(history.asOf(table.version().time()).version()).isEqualTo(VERSIONS);
        // It is not known until when this version was the newest one
        assertDamaged(message, () -> history.asOf(before));
        assertDamaged(message, () -> warehouse.rollback(table, lost));
        List<Long> numbers = new ArrayList<>();
        history.versions().forEachRemaining(version -> numbers.add(version.version()));
        assertThat(numbers).hasSize(VERSIONS - 1).doesNotContain(lost);
        assertNewest(VERSIONS);
    }

    /**
     * The stub of another version, or of a version of another table, is not the stub of the version whose file it has.
     */
    @Test
    void testStubOfAnotherVersion()
            throws IOException
    {
        AlbisTable other = createTable(warehouse, "s", "other");
        other = warehouse.append(other, rows(oneRow()), ReadSet.BLIND);
        warehouse.expireVersions(other, Instant.now().plusSeconds(100), 1);
        byte[] foreign = files(fileSystem, other.folder()).get(new TablePaths(other.folder()).version(1).toString());
        for (long version : new long[] {1, 7, VERSIONS}) {
            byte[] file = files(fileSystem, paths.versionsFolder()).get(paths.version(version).toString());
            overwrite(fileSystem, paths.version(version).toString(), foreign);
            String message = "Damaged Albis file %s: it is the stub of version 1 of table %s".formatted(paths.version(version), other.uuid());
            if (version == VERSIONS) {
                assertDamaged(message, () -> warehouse.loadTable("s", "t"));
            }
            else {
                assertDamaged(message, () -> warehouse.history(table).get(version));
                assertDamaged(message, () -> warehouse.history(table).versions().forEachRemaining(_ -> {}));
            }
            overwrite(fileSystem, paths.version(version).toString(), file);
        }
        assertNewest(VERSIONS);
    }

    private static void assertDamaged(String message, ThrowingCallable action)
    {
        assertThatThrownBy(action)
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(Throwables.getRootCause(e)).isInstanceOfSatisfying(AlbisDataException.class, cause -> assertThat(cause.reason()).isEqualTo(DAMAGED)));
    }

    /**
     * An attempt to create a table leaves a version to which no name refers, and the next attempt creates another one.
     * If that is lost, the rows of the first attempt do not become the table.
     */
    @Test
    void testVersionOfTheSecondAttemptIsLost()
            throws IOException
    {
        NewTable newTable = warehouse.newTable("s", "u", DEFINITION);
        Warehouse failing = hooked(new Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/tables/u/")) {
                    throw new IOException("refused");
                }
            }
        });
        assertThatThrownBy(() -> failing.createTable(newTable, rows(oneRow())));
        RowGroup row = oneRow();
        AlbisTable created = warehouse.createTable(newTable, rows(row));
        assertThat(created.version().version()).isEqualTo(2);
        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
        TablePaths secondPaths = new TablePaths(created.folder());
        fileSystem.deleteFile(secondPaths.hint());
        byte[] version = files(fileSystem, secondPaths.versionsFolder()).get(secondPaths.version(2).toString());
        fileSystem.deleteFile(secondPaths.version(2));
        assertThatThrownBy(() -> warehouse.loadTable("s", "u"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("has generation 2, but the version of this generation is missing");
        // The table still exists
        assertThatThrownBy(() -> createTable(warehouse, "s", "u")).hasMessageContaining("already exists");
        overwrite(fileSystem, secondPaths.version(2).toString(), version);
        assertThat(load(warehouse, "s", "u").rowGroups()).containsExactly(row);
    }

    private static boolean isPut(Operation operation)
    {
        return operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/versions/");
    }

    private Warehouse hooked(Hook hook)
    {
        return warehouse(new HookedFileSystem(fileSystem, hook));
    }

    private void assertNewest(long version)
    {
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(version);
    }

    private void assertMissing(Runnable action)
    {
        assertThatThrownBy(action::run)
                .isInstanceOf(UncheckedIOException.class)
                .cause()
                .isInstanceOfSatisfying(AlbisDataException.class, e -> assertThat(e.reason()).isEqualTo(DAMAGED))
                .hasMessageContaining("version %s is missing".formatted(VERSIONS))
                .hasMessageContaining(paths.version(VERSIONS).toString());
    }
}
