package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.TestTier;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableException;
import io.albis.table.path.WarehousePaths;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The copies that docs/operations.md ("Back up") describes, each made file by file during concurrent writes.
 */
final class TestBackup
{
    private static final Predicate<String> NAMES = file -> file.matches(".*/tables/[^/]*/[^/]*\\.json");
    private static final Predicate<String> LIVE_NAMES = file -> file.matches(".*/tables/[^/]*/[^/]*[13579]\\.json");
    private static final Predicate<String> SCHEMAS = file -> file.matches(".*/\\.schema/[^/]*\\.(json|renamed)");
    private static final Pattern FOLDER = Pattern.compile("\"folder\":\\{\"path\":\"([^\"]*)\"");
    private static final Predicate<String> VERSIONS = file -> file.matches(".*/versions/[^/]*\\.json");
    private static final Predicate<String> OTHERS = file -> !NAMES.test(file) && !SCHEMAS.test(file) && !file.matches(".*/versions/[^/]*");

    private static final int WRITES_DURING_COPY = 15;

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();
    private final TrinoFileSystem copy = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private int nextName;

    @BeforeEach
    void setUp()
    {
        createSchema();
        createSchema();
    }

    static LongStream seeds()
    {
        return LongStream.rangeClosed(1, TestTier.isComplete() ? 2 : 1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    // If a version is missing, commits retry for minutes
    @Timeout(120)
    void testCopyWhileOthersWrite(long seed)
            throws IOException
    {
        Random random = new Random(seed);
        for (int round = 0; round < 3; round++) {
            for (int write = 0; write < 10; write++) {
                write(random);
            }
            Map<UUID, Set<UUID>> before = rowGroups(warehouse);
            copyAll(NAMES, random);
            copyAll(VERSIONS, random);
            // What the last round finds was there when it began
            Set<String> schemas;
            do {
                schemas = copyAll(SCHEMAS, random);
            }
            while (!schemas.isEmpty());
            removeNamesWithoutVersions(copyAll(LIVE_NAMES, random));
            copyAll(OTHERS, random);
            assertCopy(before);
        }
    }

    /**
     * Asserts that every table that existed throughout the copy is in it, with at least the rows from before the copy
     * began.
     */
    private void assertCopy(Map<UUID, Set<UUID>> before)
            throws IOException
    {
        Map<UUID, Set<UUID>> after = rowGroups(warehouse);
        Warehouse restored = warehouse(copy);
        Map<UUID, Set<UUID>> copied = rowGroups(restored);
        for (Map.Entry<UUID, Set<UUID>> table : before.entrySet()) {
            if (after.containsKey(table.getKey())) {
                assertThat(copied).containsKey(table.getKey());
                assertThat(copied.get(table.getKey())).containsAll(table.getValue());
                assertThat(after.get(table.getKey())).containsAll(copied.get(table.getKey()));
            }
        }
        Set<String> files = list(copy);
        for (AlbisTable table : tables(restored)) {
            for (RowGroup rowGroup : table.rowGroups()) {
                for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
                    assertThat(files).contains(rowGroup.dataFile(table.folder(), columnGroup).toString());
                }
            }
            // The copied table is writable
            AlbisTable appended = restored.append(table, rows(oneRow()), ReadSet.BLIND);
            assertThat(appended.version().version()).isEqualTo(table.version().version() + 1);
        }
        // The files that this write added are not in the original. A hint that the completion of a RENAME created is
        // ahead of the versions then
        for (String file : list(copy)) {
            if (!files.contains(file) || file.endsWith("/versions/hint")) {
                copy.deleteFile(Location.of(file));
            }
        }
    }

    private static Map<UUID, Set<UUID>> rowGroups(Warehouse warehouse)
    {
        Map<UUID, Set<UUID>> rowGroups = new HashMap<>();
        for (AlbisTable table : tables(warehouse)) {
            rowGroups.put(table.uuid(), rowGroupIds(table));
        }
        return rowGroups;
    }

    private static List<AlbisTable> tables(Warehouse warehouse)
    {
        ImmutableList.Builder<AlbisTable> tables = ImmutableList.builder();
        for (String schema : warehouse.listSchemas()) {
            for (String table : warehouse.listTables(schema)) {
                warehouse.loadTable(schema, table).ifPresent(tables::add);
            }
        }
        return tables.build();
    }

    /**
     * Removes the names of tables that were created after the versions were copied.
     */
    private void removeNamesWithoutVersions(Set<String> names)
            throws IOException
    {
        for (String name : names) {
            Matcher folder = FOLDER.matcher(new String(SmallFiles.read(copy, Location.of(name)).orElseThrow(), UTF_8));
            if (folder.find() && !copy.listFiles(ROOT.appendPath(folder.group(1) + "/versions/")).hasNext()) {
                copy.deleteFile(Location.of(name));
            }
        }
    }

    /**
     * Copies the included files that are not in the copy yet. Files never change, so existing copies are kept.
     *
     * @return the copied files
     */
    private Set<String> copyAll(Predicate<String> included, Random random)
            throws IOException
    {
        Set<String> seen = new HashSet<>();
        Set<String> copied = new TreeSet<>();
        int writes = 0;
        // Each file is listed many times, but matched only once
        Map<String, Boolean> matched = new HashMap<>();
        Predicate<String> left = file -> !seen.contains(file) && matched.computeIfAbsent(file, included::test);
        // A folder is listed when the copy reaches it
        Optional<String> next = firstFile(left);
        while (next.isPresent()) {
            String file = next.get();
            seen.add(file);
            if (!copy.newInputFile(Location.of(file)).exists()) {
                overwrite(copy, file, SmallFiles.read(fileSystem, Location.of(file)).orElseThrow());
                copied.add(file);
            }
            if (writes < WRITES_DURING_COPY && random.nextInt(3) == 0) {
                write(random);
                writes++;
            }
            next = firstFile(left);
        }
        return copied;
    }

    private static Set<String> list(TrinoFileSystem fileSystem)
            throws IOException
    {
        Set<String> files = new TreeSet<>();
        FileIterator iterator = fileSystem.listFiles(WarehousePaths.asDirectory(ROOT));
        while (iterator.hasNext()) {
            files.add(iterator.next().location().toString());
        }
        return files;
    }

    private Optional<String> firstFile(Predicate<String> included)
            throws IOException
    {
        String first = null;
        FileIterator iterator = fileSystem.listFiles(WarehousePaths.asDirectory(ROOT));
        while (iterator.hasNext()) {
            String file = iterator.next().location().toString();
            if ((first == null || file.compareTo(first) < 0) && included.test(file)) {
                first = file;
            }
        }
        return Optional.ofNullable(first);
    }

    private void write(Random random)
            throws IOException
    {
        List<AlbisTable> tables = tables(warehouse);
        int choice = random.nextInt(20);
        if (tables.isEmpty() || choice == 0) {
            List<String> schemas = ImmutableList.copyOf(warehouse.listSchemas());
            createTable(schemas.get(random.nextInt(schemas.size())), newName());
            return;
        }
        AlbisTable table = tables.get(random.nextInt(tables.size()));
        if (choice == 1) {
            createSchema();
        }
        else if (choice == 3) {
            warehouse.renameSchema(table.schemaName(), newName());
            if (random.nextBoolean()) {
                warehouse.createSchema(table.schemaName(), Optional.empty(), ImmutableMap.of());
            }
        }
        else if (choice == 2) {
            warehouse.dropTable(table);
            // A different table with the same name
            createTable(table.schemaName(), table.tableName());
        }
        else if (choice < 10) {
            rename(table, random);
        }
        else {
            warehouse.append(table, rows(writeRow(table.folder())), ReadSet.BLIND);
        }
    }

    /**
     * Renames the table to one of a few names, so that names are reused.
     */
    private void rename(AlbisTable table, Random random)
    {
        List<String> schemas = ImmutableList.copyOf(warehouse.listSchemas());
        try {
            warehouse.renameTable(table, schemas.get(random.nextInt(schemas.size())), "renamed" + random.nextInt(3));
        }
        catch (TableException e) {
            assertThat(e.reason()).isEqualTo(ALREADY_EXISTS);
        }
    }

    private void createSchema()
    {
        warehouse.createSchema(newName(), Optional.empty(), ImmutableMap.of());
    }

    private void createTable(String schemaName, String tableName)
            throws IOException
    {
        NewTable newTable = warehouse.newTable(schemaName, tableName, DEFINITION);
        warehouse.createTable(newTable, rows(writeRow(newTable.folder())));
    }

    private RowGroup writeRow(Location folder)
            throws IOException
    {
        RowGroup rowGroup = oneRow();
        for (ColumnGroupInstance columnGroup : rowGroup.columnGroups()) {
            overwrite(fileSystem, rowGroup.dataFile(folder, columnGroup).toString(), new byte[1]);
        }
        return rowGroup;
    }

    private String newName()
    {
        nextName++;
        return "n" + nextName;
    }
}
