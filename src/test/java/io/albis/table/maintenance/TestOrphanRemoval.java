package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Files that no version names are removed, and no others.
 */
class TestOrphanRemoval
        extends BaseOrphanTest
{
    @Test
    void testFilesOfAFailedWrite()
            throws IOException
    {
        append();
        RowGroup orphan = table.rowGroup();
        UUID deletes = deletesFile();
        UUID manifest = UUID.randomUUID();
        write(table.paths().manifest(manifest));
        long bytes = table.file(DeletedRows.location(load().folder(), deletes)).length + 1 + 4;

        OrphanRemovalResult nothing = removeOrphans(PAST);
        assertThat(nothing.deletedFiles()).isZero();
        assertThat(table.newest().version()).isEqualTo(2);
        OrphanRemovalResult result = removeOrphans();
        // Two manifests, two row groups of two column groups, two versions, and the hint
        assertThat(result).isEqualTo(new OrphanRemovalResult(2, 2 + 8, 2 + 8 + 3 + 6, 6, bytes));
        TableVersion newest = table.newest();
        assertThat(newest.version()).isEqualTo(3);
        assertThat(newest.operation()).isEqualTo("condemn");
        assertThat(newest.summary()).containsEntry("condemned-writes", "3");
        assertThat(newest.writerFeatures()).containsExactly(TableVersion.CONDEMNED_WRITES);
        assertThat(condemned().writes()).isEqualTo(writesOf(orphan.id(), deletes, manifest));
        table.checkReadable(states);
        table.checkNoGarbage();

        // All later versions repeat what was condemned, until it is forgotten
        append();
        assertThat(removeOrphans(PAST).deletedFiles()).isZero();
        assertThat(table.newest().version()).isEqualTo(4);
        assertThat(condemned()).isEqualTo(newest.condemned().orElseThrow());
        removeOrphans();
        assertThat(condemned().writes()).isEmpty();
        assertThat(condemned().forgotten()).isEqualTo(3);
        removeOrphans();
        assertThat(table.newest().version()).isEqualTo(5);
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    private UUID deletesFile()
    {
        RowGroup rowGroup = load().rowGroups().getFirst();
        return table.delete(rowGroup, 0).deletes().get(rowGroup.id()).file();
    }

    /**
     * Files that are not those of a table, and those of a table whose folder has this one as a prefix.
     */
    @Test
    void testOtherFiles()
            throws IOException
    {
        Location folder = table.created().folder();
        UUID id = UUID.fromString("94c2e6dc-9939-488d-976a-83e567e9238a");
        List<Location> others = ImmutableList.of(
                folder.appendPath("notes.txt"),
                folder.appendPath("versions/.tmp"),
                folder.appendPath("versions/" + id),
                folder.appendPath("manifests/notes"),
                folder.appendPath("manifests/9a/" + id),
                folder.appendPath("manifests/" + id.toString().toUpperCase(Locale.ENGLISH)),
                folder.appendPath("deletes/" + id),
                folder.appendPath("deletes/9b/" + id),
                folder.appendPath("9b/rg-" + id + "/cg-" + id + "/data"),
                folder.appendPath("9a/rg-" + id + "/cg-" + id + "/index"),
                folder.appendPath("9a/rg-" + id + "/versions/00000000000000000001.json"),
                folder.appendPath("9a/rg-" + id + "/9a/rg-" + id + "/cg-" + id + "/data"),
                folder.appendPath("more/9a/rg-" + id + "/cg-" + id + "/data"),
                folder.appendSuffix("2").appendPath("9a/rg-" + id + "/cg-" + id + "/data"),
                folder.appendSuffix("2").appendPath("manifests/" + id));
        for (Location other : others) {
            write(other);
        }
        // In the same folder as files that Albis does not know
        Location orphan = folder.appendPath("9a/rg-" + id + "/cg-" + id + "/data");
        write(orphan);
        assertThat(removeOrphans().deletedFiles()).isEqualTo(1);
        assertThat(exists(orphan)).isFalse();
        for (Location other : others) {
            assertThat(exists(other)).as(other.toString()).isTrue();
        }
    }

    /**
     * A column group of a row group that a version names, as an UPDATE of single columns writes it.
     */
    @Test
    void testColumnGroupOfANamedRowGroup()
            throws IOException
    {
        append();
        RowGroup rowGroup = load().rowGroups().getFirst();
        UUID id = UUID.randomUUID();
        Location orphan = RowGroup.folder(load().folder(), rowGroup.id()).appendPath(ColumnGroupInstance.folderName(id)).appendPath(ColumnGroupInstance.DATA_FILE);
        write(orphan);
        assertThat(removeOrphans().deletedFiles()).isEqualTo(1);
        assertThat(condemned().writes()).isEqualTo(writesOf(id));
        table.checkReadable(states);
        table.checkNoGarbage();
    }

    @Test
    void testDamagedTable()
            throws IOException
    {
        appendTo(4);
        RowGroup orphan = table.rowGroup();
        byte[] version = table.file(table.paths().version(2));
        fileSystem.deleteFile(table.paths().version(2));
        assertThatThrownBy(() -> removeOrphans())
                .hasMessageContaining("version 2 is missing. No file of versions that remain was deleted")
                .cause().isInstanceOf(AlbisDataException.class);
        fileSystem.newOutputFile(table.paths().version(2)).createOrOverwrite(version);
        Location manifest = table.paths().manifest(load().version().manifests().getFirst().id());
        fileSystem.deleteFile(manifest);
        assertThatThrownBy(() -> removeOrphans()).cause().isInstanceOf(AlbisDataException.class);
        assertThat(exists(orphan)).isTrue();
        assertThat(condemned().writes()).isEmpty();
    }

    @Test
    void testManyWrites()
            throws IOException
    {
        for (int i = 0; i < 10_010; i++) {
            write(table.paths().manifest(UUID.randomUUID()));
        }
        assertThat(removeOrphans().deletedFiles()).isEqualTo(10_000);
        assertThat(removeOrphans(PAST).deletedFiles()).isZero();
        assertThat(removeOrphans().deletedFiles()).isEqualTo(10);
        table.checkNoGarbage();
    }

    @Test
    void testDroppedTable()
    {
        AlbisTable other = createTable(warehouse, "s", "other");
        warehouse.dropTable(other);
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.removeOrphans(other, future()));
    }
}
