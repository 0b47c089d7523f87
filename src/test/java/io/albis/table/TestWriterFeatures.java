package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Bytes;
import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.airlift.slice.SliceInput;
import io.airlift.slice.Slices;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.FileSection;
import io.albis.format.metadata.RowGroup;
import io.albis.format.metadata.TypeNames;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Kind;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.alter.Change;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.NewTable;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.table.model.TableOperation.DELETE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A writer that does not know a feature of writers can read the table. It changes nothing, so a newer writer finds the
 * table as it was.
 */
class TestWriterFeatures
{
    private static final String NONE = "\"writerFeatures\":[]";
    private static final String UNKNOWN = "\"writerFeatures\":[\"history\"]";

    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    @Test
    void testEveryChangeIsRefused()
            throws IOException
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        replaceInVersion(table.folder(), NONE, UNKNOWN);
        Map<String, byte[]> before = files(fileSystem, ROOT);
        AlbisTable read = load(warehouse, "s", "t");
        assertThat(read.rowGroups()).hasSize(1);
        assertRefused(NOT_SUPPORTED, () -> warehouse.checkWritable(read));
        assertRefused(NOT_SUPPORTED, () -> warehouse.append(read, rows(oneRow()), ReadSet.BLIND));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(read, new Change.TableComment(Optional.of("new"))));
        assertRefused(NOT_SUPPORTED, () -> warehouse.renameTable(read, "s", "u"));
        assertRefused(NOT_SUPPORTED, () -> warehouse.truncate(read));
        assertRefused(NOT_SUPPORTED, () -> warehouse.change(read, new RowChange(TableRows.NONE, ImmutableMap.of(), rowGroupIds(read), DELETE), ReadSet.BLIND));
        assertRefused(NOT_SUPPORTED, () -> warehouse.replaceTable(read, DEFINITION, rows(oneRow()), false));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(read, new Change.CreateTag("a", OptionalLong.empty())));
        assertRefused(NOT_SUPPORTED, () -> warehouse.expireVersions(read, Instant.MAX, 1));
        assertRefused(NOT_SUPPORTED, () -> warehouse.removeOrphans(read, Instant.MAX));
        assertRefused(NOT_SUPPORTED, () -> warehouse.maintenance().unregisterTable(read));
        assertRefused(NOT_SUPPORTED, () -> warehouse.dropTable(read));
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);

        // A newer writer finds no RENAME to complete
        replaceInVersion(table.folder(), UNKNOWN, NONE);
        assertThat(warehouse.loadTable("s", "u")).isEmpty();
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(1);
    }

    /**
     * A newer writer may keep what it needs in the folder of a table that was dropped or unregistered.
     */
    @Test
    void testTablesWithoutNames()
            throws IOException
    {
        AlbisTable unregistered = createTable(warehouse, "s", "t", oneRow());
        warehouse.maintenance().unregisterTable(unregistered);
        replaceInVersion(unregistered.folder(), 2, "\"writerFeatures\":[\"unregistered\"]", "\"writerFeatures\":[\"history\",\"unregistered\"]");
        AlbisTable dropped = createTable(warehouse, "s", "u", oneRow());
        warehouse.dropTable(dropped);
        replaceInVersion(dropped.folder(), 2, NONE, UNKNOWN);
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertRefused(NOT_SUPPORTED, () -> warehouse.maintenance().registerTable("s", "t", unregistered.folder().toString()));
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(1)).freed()).isEmpty();
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);
        replaceInVersion(dropped.folder(), 2, UNKNOWN, NONE);
        assertThat(warehouse.maintenance().vacuum(Optional.empty(), Instant.now().plusSeconds(1)).freed()).hasSize(1);
    }

    /**
     * A newer writer has ended its use of a feature, and the rollback would restore what depends on it.
     */
    @Test
    void testRollbackToVersionWithFeature()
            throws IOException
    {
        AlbisTable created = createTable(warehouse, "s", "t", oneRow());
        AlbisTable appended = warehouse.append(created, rows(oneRow()), ReadSet.BLIND);
        replaceInVersion(created.folder(), NONE, UNKNOWN);
        assertRefused(NOT_SUPPORTED, () -> warehouse.rollback(appended, 1));
        assertThat(load(warehouse, "s", "t").version().version()).isEqualTo(2);
        replaceInVersion(created.folder(), UNKNOWN, NONE);
        assertThat(warehouse.rollback(appended, 1).rowCount()).isEqualTo(1);
    }

    /**
     * A newer writer commits after this one has checked the features. The entry of the new name exists by then, so the
     * newer writer completes the RENAME.
     */
    @Test
    void testFeatureAppearsDuringRename()
            throws IOException
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        Warehouse older = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void after(Operation operation)
                    throws IOException
            {
                if (operation.kind() == Kind.CREATE_EXCLUSIVE && operation.location().path().contains("/tables/u/")) {
                    replaceInVersion(table.folder(), NONE, UNKNOWN);
                }
            }
        }));
        assertRefused(OUTCOME_UNKNOWN, () -> older.renameTable(table, "s", "u"));
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(1);
        assertThat(load(warehouse, "s", "u").rowGroups()).hasSize(1);
        replaceInVersion(table.folder(), UNKNOWN, NONE);
        assertThat(load(warehouse, "s", "u").version().name().orElseThrow().tableName()).isEqualTo("u");
        assertThat(warehouse.loadTable("s", "t")).isEmpty();
    }

    /**
     * The second attempt to create a table finds the version of the first one.
     */
    @Test
    void testSecondAttemptToCreate()
            throws IOException
    {
        NewTable newTable = warehouse.newTable("s", "t", DEFINITION);
        Warehouse failing = warehouse(new HookedFileSystem(fileSystem, Hook.failAt(Kind.CREATE_EXCLUSIVE, "/tables/t/")));
        assertRefused(OUTCOME_UNKNOWN, () -> failing.createTable(newTable, rows(oneRow())));
        replaceInVersion(newTable.folder(), NONE, UNKNOWN);
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertRefused(NOT_SUPPORTED, () -> warehouse.createTable(newTable, rows(oneRow())));
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);
    }

    /**
     * A newer writer adds bytes to the entry of a row group and a section to its manifest, which a reader ignores. A
     * writer that merges the manifest loses them, so the newer writer adds a feature if they must be kept.
     */
    @Test
    void testAdditionsToManifest()
            throws IOException
    {
        AlbisTable table = createTable(warehouse, "s", "t", oneRow());
        for (int commit = 2; commit <= 7; commit++) {
            table = warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
        }
        ManifestEntry manifest = table.version().manifests().getFirst();
        String location = table.folder().appendPath("manifests/" + manifest.id()).toString();
        byte[] marker = "what only a newer writer knows".getBytes(UTF_8);
        byte[] extended = withAdditions(manifest, Slices.wrappedBuffer(files(fileSystem, ROOT).get(location)), marker);
        overwrite(fileSystem, location, extended);
        String stated = "\"id\":\"%s\",\"length\":%s,";
        replaceInVersion(table.folder(), 7, stated.formatted(manifest.id(), manifest.length()), stated.formatted(manifest.id(), extended.length));
        replaceInVersion(table.folder(), 7, NONE, UNKNOWN);
        AlbisTable read = load(warehouse, "s", "t");
        assertThat(read.rowGroups()).hasSize(7);
        Map<String, byte[]> before = files(fileSystem, ROOT);
        assertRefused(NOT_SUPPORTED, () -> warehouse.append(read, rows(oneRow()), ReadSet.BLIND));
        assertThat(files(fileSystem, ROOT)).containsExactlyEntriesOf(before);

        replaceInVersion(table.folder(), 7, UNKNOWN, NONE);
        AlbisTable merged = warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        assertThat(merged.version().manifests()).hasSize(1);
        List<UUID> ids = read.rowGroups().stream().map(RowGroup::id).toList();
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(8).extracting(RowGroup::id).containsAll(ids);
        byte[] file = files(fileSystem, ROOT).get(table.folder().appendPath("manifests/" + merged.version().manifests().getFirst().id()).toString());
        assertThat(Bytes.indexOf(extended, marker)).isPositive();
        assertThat(Bytes.indexOf(file, marker)).isNegative();
    }

    private static byte[] withAdditions(ManifestEntry manifest, Slice file, byte[] marker)
            throws IOException
    {
        Slice body = FileFrame.unframe(ROOT, FileKind.MANIFEST, Optional.of(manifest.id()), file);
        SliceInput input = body.getInput();
        // the features, the id of the table, and the schema id
        input.skip(8 + 16 + 4);
        TypeNames.read(input);
        assertThat(input.readInt()).isEqualTo(1);
        int start = (int) input.position();
        int length = input.readInt();
        input.skip(length);
        DynamicSliceOutput output = new DynamicSliceOutput(body.length());
        output.writeBytes(body, 0, start);
        output.writeInt(length + 2 * Integer.BYTES + marker.length);
        output.writeBytes(body, start + 4, length);
        // no partition and no bounds of fields
        output.writeInt(0);
        output.writeInt(0);
        output.writeBytes(marker);
        FileSection.write(ImmutableList.<FileSection>builder()
                .addAll(FileSection.read(input))
                .add(new FileSection(0x8777, FileSection.NO_COLUMN, Slices.wrappedBuffer(marker)))
                .build(), output);
        return FileFrame.frame(FileKind.MANIFEST, manifest.id(), output.slice()).getBytes();
    }

    private void replaceInVersion(Location folder, String old, String replacement)
            throws IOException
    {
        replaceInVersion(folder, 1, old, replacement);
    }

    private void replaceInVersion(Location folder, int number, String old, String replacement)
            throws IOException
    {
        String version = folder.appendPath("versions/%020d.json".formatted(number)).toString();
        String text = new String(files(fileSystem, folder).get(version), UTF_8);
        assertThat(text).contains(old);
        overwrite(fileSystem, version, withChecksum(text.replace(old, replacement)));
    }
}
