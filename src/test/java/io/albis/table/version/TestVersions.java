package io.albis.table.version;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.json.JsonFiles;
import io.albis.table.json.JsonKind;
import io.albis.table.model.TableException;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A reader finds the newest version wherever the hint points.
 */
class TestVersions
{
    private static final int VERSIONS = 100;

    private final List<Operation> operations = new ArrayList<>();

    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;
    private AlbisTable table;
    private Location hint;

    @BeforeEach
    void setUp()
    {
        fileSystem = new MemoryFileSystem();
        warehouse = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void after(Operation operation)
            {
                if (operation.location().path().contains("/versions")) {
                    operations.add(operation);
                }
            }
        }));
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        table = createTable(warehouse, "s", "t");
        for (int version = 2; version <= VERSIONS; version++) {
            warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        }
        hint = new TablePaths(table.folder()).hint();
        operations.clear();
    }

    @Test
    void testRightHint()
    {
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).containsExactly(Kind.READ, Kind.EXISTS, Kind.READ);
    }

    @Test
    void testOldHints()
            throws IOException
    {
        for (int version = 1; version < VERSIONS; version++) {
            writeHint(table.uuid(), version);
            operations.clear();
            assertNewest(VERSIONS);
            assertThat(operations).extracting(Operation::kind).doesNotContain(Kind.LIST);
            // Twice the logarithm of the number of missing versions
            assertThat(operations).hasSizeLessThan(4 + 2 * 8 + 1);
        }
    }

    @Test
    void testHintOfAnImpossibleVersion()
            throws IOException
    {
        // TestLostVersions: a hint of a version that might have existed
        for (long version : new long[] {Long.MAX_VALUE / 2, Long.MAX_VALUE, 0, -1, Long.MIN_VALUE}) {
            writeHint(table.uuid(), version);
            assertNewest(VERSIONS);
        }
    }

    @Test
    void testHintIsRepaired()
            throws IOException
    {
        writeHint(UUID.randomUUID(), 3);
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).contains(Kind.LIST);
        operations.clear();
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).doesNotContain(Kind.LIST, Kind.OVERWRITE);
    }

    /**
     * A writer has died before it wrote the hint, or has written it after the hints of later versions. If the newest
     * version is lost afterward, readers notice.
     */
    @Test
    void testHintOfAnOldVersionIsRepaired()
            throws IOException
    {
        TablePaths paths = new TablePaths(table.folder());
        String newest = new String(files(fileSystem, paths.versionsFolder()).get(paths.version(VERSIONS).toString()), UTF_8);
        writeHint(table.uuid(), VERSIONS - 1);
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).doesNotContain(Kind.OVERWRITE);
        String time = load(warehouse, "s", "t").version().time().toString();
        assertThat(newest).contains(time);
        overwrite(fileSystem, paths.version(VERSIONS).toString(), withChecksum(newest.replace(time, Instant.now().minus(2, MINUTES).truncatedTo(MILLIS).toString())));
        operations.clear();
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).containsOnlyOnce(Kind.OVERWRITE);
        operations.clear();
        assertNewest(VERSIONS);
        assertThat(operations).extracting(Operation::kind).containsExactly(Kind.READ, Kind.EXISTS, Kind.READ);
        fileSystem.deleteFile(paths.version(VERSIONS));
        assertThatThrownBy(() -> load(warehouse, "s", "t")).hasMessageContaining("version 100 is missing");
    }

    @Test
    void testOtherFilesAmongVersionsAreNotOnesThatCount()
            throws IOException
    {
        Location folder = new TablePaths(table.folder()).versionsFolder();
        for (String name : List.of(".3f0e.tmp", "00000000000000000200.json.tmp", "200.json", "99999999999999999999.json", "readme")) {
            fileSystem.newOutputFile(folder.appendPath(name)).createOrOverwrite(new byte[10]);
        }
        fileSystem.deleteFile(hint);
        assertNewest(VERSIONS);
    }

    @Test
    void testOldVersionsMayBeGone()
            throws IOException
    {
        for (int version = 1; version < VERSIONS - 3; version++) {
            fileSystem.deleteFile(new TablePaths(table.folder()).version(version));
        }
        for (int version = 1; version < VERSIONS; version++) {
            writeHint(table.uuid(), version);
            assertNewest(VERSIONS);
        }
    }

    /**
     * No folder has more than a million versions.
     */
    @Test
    void testMillionVersions()
            throws IOException
    {
        long last = 999_999;
        TablePaths paths = new TablePaths(table.folder());
        String newest = new String(files(fileSystem, paths.versionsFolder()).get(paths.version(VERSIONS).toString()), UTF_8);
        overwrite(fileSystem, paths.version(last).toString(), withChecksum(newest.replace("\"version\":" + VERSIONS + ",", "\"version\":" + last + ",")));
        writeHint(table.uuid(), last);
        assertNewest(last);
        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        assertThat(files(fileSystem, paths.versionsFolder().appendPath("1"))).containsOnlyKeys(paths.version(last + 1).toString(), paths.version(last + 2).toString());
        assertNewest(last + 2);
        writeHint(table.uuid(), last);
        assertNewest(last + 2);
        // a copy that somebody has put there
        overwrite(fileSystem, paths.versionsFolder().appendPath("old").appendPath("00000000000009000000.json").toString(), new byte[1]);
        fileSystem.deleteFile(hint);
        assertNewest(last + 2);
    }

    /**
     * The response to the put of a version is lost, and the storage returns a damaged file when the writer reads it.
     * The writer must not take it for the version of another writer.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testVersionIsDamagedWhenItsWriterReadsIt(boolean once)
            throws IOException
    {
        Location version = new TablePaths(table.folder()).version(VERSIONS + 1);
        AtomicReference<byte[]> written = new AtomicReference<>();
        Warehouse writer = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void after(Operation operation)
                    throws IOException
            {
                if (!operation.location().equals(version)) {
                    return;
                }
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && written.get() == null) {
                    byte[] file = fileSystem.newInputFile(version).newStream().readAllBytes();
                    written.set(file.clone());
                    file[file.length / 2] ^= 1;
                    overwrite(fileSystem, version.toString(), file);
                    throw new IOException("The response is lost");
                }
                if (operation.kind() == Kind.READ && once) {
                    overwrite(fileSystem, version.toString(), written.get());
                }
            }
        }));
        RowGroup rowGroup = oneRow();
        assertThatThrownBy(() -> writer.append(load(writer, "s", "t"), rows(rowGroup), ReadSet.BLIND))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("It is unknown who has committed version 101")
                .extracting("reason").isEqualTo(OUTCOME_UNKNOWN);
        overwrite(fileSystem, version.toString(), written.get());
        assertNewest(VERSIONS + 1);
        assertThat(load(warehouse, "s", "t").rowGroups()).extracting(RowGroup::id).containsOnlyOnce(rowGroup.id());
    }

    private void writeHint(UUID uuid, long version)
            throws IOException
    {
        byte[] file = new JsonFiles(TYPE_RESOLVER).write(JsonKind.HINT, UUID.randomUUID(), new Hints.Hint(uuid, version));
        fileSystem.newOutputFile(hint).createOrOverwrite(file);
    }

    private void assertNewest(long version)
    {
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(version);
    }
}
