package io.albis.table;

import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableDefinition;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Table and schema locations that users specify.
 */
final class TestLocations
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    /**
     * Of two clients that create a table at the same location, one loses the race for the name. The loser removes no
     * files.
     */
    @Test
    void testCleanUpAtASharedLocation()
            throws IOException
    {
        RowGroup row = oneRow();
        NewTable loser = newTableAt("loser", "memory:///own");
        NewTable winner = newTableAt("winner", "memory:///own");
        Set<String> before = new HashSet<>();
        Warehouse slow = warehouse(new HookedFileSystem(fileSystem, new HookedFileSystem.Hook()
        {
            @Override
            public void before(Operation operation)
                    throws IOException
            {
                if (before.isEmpty() && operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().toString().contains("/s/tables/loser/")) {
                    createTable(warehouse, "s", "loser");
                    warehouse.createTable(winner, rows(row));
                    before.addAll(files(fileSystem, Location.of("memory:///own")).keySet());
                }
            }
        }));
        assertRefused(ALREADY_EXISTS, () -> slow.createTable(loser, rows(oneRow())));
        assertThat(before).hasSize(6);
        assertThat(files(fileSystem, Location.of("memory:///own")).keySet()).isEqualTo(before);
        assertThat(rowGroupIds(load(warehouse, "s", "winner"))).containsExactly(row.id());
    }

    @Test
    void testLocationCanBeUsedAgain()
    {
        AlbisTable first = warehouse.createTable(newTableAt("t", "memory:///own"), rows(oneRow()));
        warehouse.dropTable(first);
        RowGroup row = oneRow();
        warehouse.createTable(newTableAt("t", "memory:///own"), rows(row));
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).containsExactly(row.id());
    }

    @Test
    void testSeveralTablesAndOtherFilesAtALocation()
            throws IOException
    {
        overwrite(fileSystem, "memory:///own/notes.txt", new byte[1]);
        RowGroup first = oneRow();
        RowGroup second = oneRow();
        warehouse.createTable(newTableAt("t", "memory:///own"), rows(first));
        warehouse.createTable(newTableAt("u", "memory:///own"), rows(second));
        assertRefused(ALREADY_EXISTS, () -> warehouse.createTable(newTableAt("u", "memory:///own"), rows(oneRow())));
        assertThat(rowGroupIds(load(warehouse, "s", "t"))).containsExactly(first.id());
        assertThat(rowGroupIds(load(warehouse, "s", "u"))).containsExactly(second.id());
        assertThat(files(fileSystem, Location.of("memory:///own")).keySet())
                .hasSize(7)
                .contains("memory:///own/notes.txt");
    }

    /**
     * The documented backup would miss the files of such a table, or would confuse them with other files.
     */
    @ParameterizedTest
    @ValueSource(strings = {
            "memory:///warehouse",
            "memory:///warehouse/",
            "memory:///warehouse/x/y/versions",
            "memory:///warehouse/versions/w",
            "memory:///warehouse/x/manifests",
            "memory:///warehouse/x/deletes/y",
            "memory:///warehouse/x/y/tables",
            "memory:///warehouse/x/y/tables/z",
            "memory:///warehouse/x/.foo.tmp",
            "memory:///warehouse/a\"b",
            "memory:///elsewhere/a\\b",
    })
    void testRefusedLocations(String location)
    {
        assertRefused(INVALID_DEFINITION, () -> newTableAt("t", location));
        assertRefused(INVALID_DEFINITION, () -> warehouse.createSchema("refused", Optional.of(location), ImmutableMap.of()));
    }

    private NewTable newTableAt(String tableName, String location)
    {
        return warehouse.newTable("s", tableName, new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), DEFINITION.properties(), DEFINITION.comment(), Optional.of(location)));
    }
}
