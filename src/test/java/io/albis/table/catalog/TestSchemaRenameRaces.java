package io.albis.table.catalog;

import com.google.common.collect.ImmutableMap;
import io.albis.filesystem.TestingForwardingFileSystem;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.PausedClient;
import io.albis.table.PausedClient.Point;
import io.albis.table.Warehouse;
import io.albis.table.name.NameEntry;
import io.albis.table.path.NumberedFiles;
import io.trino.filesystem.FileEntry;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import static io.albis.table.PausedClient.pause;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(120)
final class TestSchemaRenameRaces
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final RowGroup row = oneRow();

    /**
     * CREATE SCHEMA lists the log of b while others append #3 and #4. The listing shows #4.json, but not #3.renamed.
     */
    @Test
    void testListingMissesMarkerBeforeTombstone()
    {
        createSchema("b");
        createTable(warehouse, "b", "x", row);
        warehouse.renameSchema("b", "c");
        createSchema("a");
        warehouse.renameSchema("a", "b");
        warehouse.dropSchema("b");
        Warehouse other = warehouse(new MissingFile(fileSystem, "/b/.schema/" + NumberedFiles.renamedName(3)));
        other.createSchema("b", Optional.empty(), ImmutableMap.of());
        assertThat(warehouse.listTables("c")).containsExactly("x");
        assertThat(warehouse.listTables("b")).isEmpty();
    }

    /**
     * As above, but CREATE TABLE resolves b while it gets its name: the listing of a large log shows #103.json, but
     * not #103.renamed.
     */
    @Test
    void testListingOfReaderMissesMarker()
    {
        for (int i = 0; i < 50; i++) {
            createSchema("b");
            warehouse.dropSchema("b");
        }
        createSchema("b");
        warehouse.renameSchema("b", "c");
        createSchema("a");
        warehouse.renameSchema("a", "b");
        Warehouse other = warehouse(new MissingFile(fileSystem, "/b/.schema/" + NumberedFiles.renamedName(103)));
        createTable(other, "b", "y", row);
        assertThat(warehouse.listTables("c")).isEmpty();
        assertThat(warehouse.listTables("b")).containsExactly("y");
    }

    /**
     * The rename commits before CREATE TABLE reads b#1 to find out whether the schema exists, after it has listed a.
     */
    @Test
    void testCommitDuringOwner()
    {
        createSchema("a");
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/b/.schema/", 1));
        String entry = "/b/.schema/" + NumberedFiles.fileName(1);
        PausedClient creating = pause(fileSystem, client -> createTable(client, "a", "y", row), put("/a/tables/y/", 1), new Point(Kind.READ, entry));
        creating.advance();
        renaming.finish();
        creating.finish();
        assertThat(rowGroupIds(load(warehouse, "b", "y"))).containsExactly(row.id());
    }

    /**
     * CREATE TABLE b.t stalls, b is dropped and a gets its name, CREATE TABLE puts its entry and dies.
     */
    @Test
    void testTableInAbandonedKey()
    {
        createSchema("a");
        createSchema("b");
        PausedClient creating = pause(fileSystem, client -> createTable(client, "b", "t", row), put("/b/tables/t/", 1), new Point(Kind.LIST, "/b/.schema"));
        warehouse.dropSchema("b");
        warehouse.renameSchema("a", "b");
        creating.advance();
        assertRefused(OUTCOME_UNKNOWN, creating::kill);
        assertThat(warehouse.listTables("b")).isEmpty();
        // No name leads to the table, so it is lost
        assertThat(warehouse.maintenance().findLostTables(Optional.empty())).hasSize(1);
    }

    /**
     * DROP TABLE a.x has found a damaged table. Then a is renamed, and another schema gets its name.
     */
    @Test
    void testDropOfDamagedTable()
            throws IOException
    {
        createSchema("a");
        createTable(warehouse, "a", "x", row);
        createSchema("new");
        createTable(warehouse, "new", "x", row);
        overwrite(fileSystem, "memory:///warehouse/a/tables/x/" + NumberedFiles.fileName(1), new byte[] {1});
        assertThatThrownBy(() -> warehouse.loadTable("a", "x")).hasMessageContaining("amaged");
        warehouse.renameSchema("a", "old");
        warehouse.renameSchema("new", "a");
        assertThat(rowGroupIds(load(warehouse, "a", "x"))).containsExactly(row.id());
        try {
            warehouse.dropDamagedTable("a", "x", new NameEntry("a", 1));
        }
        catch (RuntimeException _) {
            // The table is gone
        }
        assertThat(warehouse.listTables("a")).containsExactly("x");
    }

    /**
     * a#2 is the tombstone of a DROP that beat a rename, whose marker remains. A power failure loses it, but not a#3.
     */
    @Test
    void testLostTombstoneBesideMarker()
            throws IOException
    {
        createSchema("a");
        PausedClient renaming = pause(fileSystem, client -> client.renameSchema("a", "b"), put("/a/.schema/", 2));
        warehouse.dropSchema("a");
        assertThatThrownBy(renaming::finish).hasMessageContaining("does not exist");
        createSchema("a");
        fileSystem.deleteFile(Location.of("memory:///warehouse/a/.schema/" + NumberedFiles.fileName(2)));
        createTable(warehouse, "a", "x", row);
    }

    private void createSchema(String name)
    {
        warehouse.createSchema(name, Optional.empty(), ImmutableMap.of());
    }

    private static Point put(String folder, long number)
    {
        return new Point(Kind.CREATE_EXCLUSIVE, folder + NumberedFiles.fileName(number));
    }

    private static final class MissingFile
            extends TestingForwardingFileSystem
    {
        private final String missing;

        private MissingFile(TrinoFileSystem delegate, String missing)
        {
            super(delegate);
            this.missing = missing;
        }

        @Override
        public FileIterator listFiles(Location location)
                throws IOException
        {
            List<FileEntry> files = new ArrayList<>();
            FileIterator all = super.listFiles(location);
            while (all.hasNext()) {
                FileEntry file = all.next();
                if (!file.location().toString().endsWith(missing)) {
                    files.add(file);
                }
            }
            Iterator<FileEntry> iterator = files.iterator();
            return new FileIterator()
            {
                @Override
                public boolean hasNext()
                {
                    return iterator.hasNext();
                }

                @Override
                public FileEntry next()
                {
                    return iterator.next();
                }
            };
        }
    }
}
