package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.FileBytes;
import io.albis.filesystem.FileDamage;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;
import io.albis.table.model.SchemaInfo;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import static com.google.common.base.Throwables.getCausalChain;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Whatever happens to a file of a warehouse, a reader sees what it has seen before, or reports this file. It never sees
 * anything else, and it changes nothing. The warehouse has every kind of file, except for those of row groups.
 */
final class TestDamagedWarehouse
{
    // one of so many bytes is damaged in the ordinary tier, on average
    private static final int STEP = 8;
    // kinds of files that no reader needs: a hint saves a search, and the names of the others are enough
    private static final Set<String> OPTIONAL = Set.of(JsonKind.HINT.name(), JsonKind.TOMBSTONE.name(), JsonKind.VIEW_MARKER.name(), JsonKind.EXPIRED.name());
    // not JSON
    private static final String MANIFEST = "MANIFEST";
    private static final String DELETES = "DELETES";

    private MemoryFileSystem fileSystem;
    private Warehouse warehouse;
    private Map<String, byte[]> files;
    private State expected;

    /**
     * What a warehouse contains.
     *
     * @param schemas all schemas by name
     * @param names the names of tables and views by schema
     * @param relations tables and views by name
     */
    private record State(Map<String, SchemaInfo> schemas, Map<String, List<String>> names, Map<String, Relation> relations) {}

    /**
     * A table or a view.
     *
     * @param versions all versions that have not expired, the newest one last
     * @param contents the row groups of each of them
     * @param deletes the deleted rows of all of their row groups
     */
    private record Relation(List<TableVersion> versions, List<List<RowGroup>> contents, Map<DeletedRows, DeletedPositions> deletes) {}

    @BeforeEach
    void setUp()
            throws IOException
    {
        WarehouseFiles written = WarehouseFiles.write();
        fileSystem = written.toFileSystem();
        warehouse = WarehouseFiles.warehouse(fileSystem);
        files = new TreeMap<>();
        written.locations().forEach(location -> files.put(location, written.content(location)));
        expected = read();
        assertThat(expected.relations()).hasSize(4);
        assertThat(expected.relations().get("t").versions()).hasSizeGreaterThan(2);
        assertThat(expected.relations().get("t").deletes()).isNotEmpty();
        Set<String> kinds = new TreeSet<>(Set.of(MANIFEST, DELETES));
        Arrays.stream(JsonKind.values()).map(JsonKind::name).forEach(kinds::add);
        assertThat(files.keySet().stream().map(this::kind)).containsOnlyElementsOf(kinds).containsAll(kinds);
    }

    @Test
    void testEveryBitAndLength()
            throws IOException
    {
        FileDamage damage = new FileDamage("TestDamagedWarehouse");
        for (String location : files.keySet()) {
            String relation = relationOf(location);
            damage.some(files.get(location), files.get(location).length, STEP, (damaged, description) -> {
                overwrite(location, damaged);
                boolean reported = readsOrReports(relation, ImmutableList.of(location), description);
                assertThat(reported).as("%s of %s", description, location).isEqualTo(isNeeded(location));
            });
            overwrite(location, files.get(location));
        }
        assertUnchanged();
        damage.print();
    }

    /**
     * Each file in the place of each other one of its kind, and exchanged with it.
     */
    @Test
    void testSwappedFiles()
            throws IOException
    {
        int swapped = 0;
        for (String first : files.keySet()) {
            for (String second : files.keySet()) {
                if (first.equals(second) || !kind(first).equals(kind(second))) {
                    continue;
                }
                overwrite(first, files.get(second));
                readsOrReports("", ImmutableList.of(first), "%s in place of %s".formatted(second, first));
                overwrite(second, files.get(first));
                readsOrReports("", ImmutableList.of(first, second), "%s and %s are exchanged".formatted(first, second));
                overwrite(first, files.get(first));
                overwrite(second, files.get(second));
                swapped++;
            }
        }
        assertThat(swapped).isGreaterThan(100);
        assertUnchanged();
        System.out.println("Damage: TestDamagedWarehouse exchanged %s pairs of files".formatted(swapped / 2));
    }

    /**
     * A file of one kind in the place of each other kind.
     */
    @Test
    void testFilesOfAnotherKind()
            throws IOException
    {
        Map<String, String> examples = new TreeMap<>();
        files.keySet().forEach(location -> examples.put(kind(location), location));
        for (String location : files.keySet()) {
            for (Map.Entry<String, String> example : examples.entrySet()) {
                if (!example.getKey().equals(kind(location))) {
                    overwrite(location, files.get(example.getValue()));
                    readsOrReports("", ImmutableList.of(location), "%s in place of %s".formatted(example.getValue(), location));
                    overwrite(location, files.get(location));
                }
            }
        }
        assertUnchanged();
    }

    /**
     * Reads a relation, or everything.
     *
     * @param relation name of a relation; empty for everything
     * @param damaged the files that an error may name
     * @return whether an error was reported
     */
    private boolean readsOrReports(String relation, List<String> damaged, String description)
    {
        try {
            if (relation.isEmpty()) {
                assertThat(read()).as(description).isEqualTo(expected);
            }
            else {
                assertThat(read("s", relation)).as(description).isEqualTo(Optional.of(expected.relations().get(relation)));
            }
            return false;
        }
        catch (UncheckedIOException e) {
            Optional<AlbisDataException> reported = getCausalChain(e).stream()
                    .filter(AlbisDataException.class::isInstance)
                    .map(AlbisDataException.class::cast)
                    .findFirst();
            assertThat(reported).as("%s: %s", description, e).isPresent();
            assertThat(reported.get().reason()).as(description).isEqualTo(DAMAGED);
            assertThat(damaged).as("%s: %s", description, e.getMessage()).anyMatch(location -> e.getMessage().contains(location));
            return true;
        }
        catch (RuntimeException e) {
            return fail(description, e);
        }
    }

    /**
     * Checks that readers have written nothing, and that all files are as before.
     */
    private void assertUnchanged()
            throws IOException
    {
        Map<String, byte[]> after = new TreeMap<>(TableFixtures.files(fileSystem, TableFixtures.ROOT));
        after.putAll(TableFixtures.files(fileSystem, Location.of("memory:///outside")));
        assertThat(after.keySet()).isEqualTo(files.keySet());
        assertThat(read()).isEqualTo(expected);
    }

    private void overwrite(String location, byte[] bytes)
            throws IOException
    {
        FileBytes.overwrite(fileSystem, Location.of(location), bytes);
    }

    private String kind(String location)
    {
        for (JsonKind kind : JsonKind.values()) {
            if (JsonFrame.hasKind(kind, files.get(location))) {
                return kind.name();
            }
        }
        return location.contains("/manifests/") ? MANIFEST : DELETES;
    }

    /**
     * Returns whether a reader needs the content of a file.
     */
    private boolean isNeeded(String location)
    {
        // a tombstone has ended the only entry of this name
        return !OPTIONAL.contains(kind(location)) && !location.contains("/o/tables/");
    }

    /**
     * Returns the name of the relation to which a file belongs; empty if it belongs to none.
     */
    private static String relationOf(String location)
    {
        for (String relation : List.of("t", "u", "v", "m")) {
            if (location.contains("/" + relation + "-") || location.contains("/s/tables/" + relation + "/")) {
                return relation;
            }
        }
        return "";
    }

    private State read()
    {
        ImmutableMap.Builder<String, SchemaInfo> schemas = ImmutableMap.builder();
        ImmutableMap.Builder<String, List<String>> names = ImmutableMap.builder();
        ImmutableMap.Builder<String, Relation> relations = ImmutableMap.builder();
        for (String schema : sorted(warehouse.listSchemas())) {
            schemas.put(schema, warehouse.getSchema(schema).orElseThrow());
            List<String> listed = sorted(warehouse.views().list(schema).stream()
                    .map(name -> name.name() + (name.mayBeView() ? warehouse.views().kind(name.name(), name.entry()) : ""))
                    .collect(toImmutableList()));
            names.put(schema, listed);
            for (String relation : sorted(warehouse.listTables(schema))) {
                read(schema, relation).ifPresent(found -> relations.put(relation, found));
            }
        }
        return new State(schemas.buildOrThrow(), names.buildOrThrow(), relations.buildOrThrow());
    }

    private Optional<Relation> read(String schemaName, String relationName)
    {
        return warehouse.loadTable(schemaName, relationName).map(table -> {
            ImmutableList.Builder<TableVersion> versions = ImmutableList.builder();
            ImmutableList.Builder<List<RowGroup>> contents = ImmutableList.builder();
            ImmutableMap.Builder<DeletedRows, DeletedPositions> deletes = ImmutableMap.builder();
            for (Iterator<TableVersion> history = warehouse.history(table).versions(); history.hasNext(); ) {
                TableVersion version = history.next();
                versions.add(version);
                List<RowGroup> rowGroups = warehouse.at(table, version).rowGroups();
                contents.add(rowGroups);
                rowGroups.forEach(rowGroup -> rowGroup.deletedRows().ifPresent(deletedRows -> deletes.put(deletedRows, read(table, rowGroup, deletedRows))));
            }
            return new Relation(versions.build(), contents.build(), deletes.buildKeepingLast());
        });
    }

    private DeletedPositions read(AlbisTable table, RowGroup rowGroup, DeletedRows deletedRows)
    {
        try {
            return DeletesReader.read(fileSystem, table.folder(), deletedRows, rowGroup.rows());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> sorted(List<String> names)
    {
        List<String> sorted = new ArrayList<>(names);
        sorted.sort(String::compareTo);
        return sorted;
    }
}
