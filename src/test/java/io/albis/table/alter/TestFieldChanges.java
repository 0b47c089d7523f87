package io.albis.table.alter;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.format.type.FieldIds;
import io.albis.table.alter.FieldChange.AddField;
import io.albis.table.alter.FieldChange.DropField;
import io.albis.table.alter.FieldChange.RenameField;
import io.albis.table.alter.FieldChange.SetFieldType;
import io.albis.table.alter.SchemaChange.ColumnPlace;
import io.albis.table.alter.SchemaChange.SetType;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.path.TablePaths;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.overwrite;
import static io.albis.table.TableFixtures.withChecksum;
import static io.albis.table.model.SchemaFeatures.CHANGED_FIELDS;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RowType.field;
import static io.trino.spi.type.RowType.rowType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Changes of the fields of rows, and what versions store of them.
 */
final class TestFieldChanges
        extends BaseSchemaChangesTest
{
    private static final TypeOperators OPERATORS = new TypeOperators();
    private static final List<Integer> COLUMN = ImmutableList.of();

    @Test
    void testAddField()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("b", rowType(field("x", INTEGER)))));
        AlbisTable added = warehouse.alter(base, new AddField(ID, COLUMN, "c", VARCHAR, false));
        assertColumn(added, rowType(field("a", INTEGER), field("b", rowType(field("x", INTEGER))), field("c", VARCHAR)), 1, 2, 1, 3);
        assertThat(added.version().features()).containsExactly(CHANGED_FIELDS);
        assertThat(added.version().columns().getFirst().fieldIds()).isEmpty();
        assertThat(added.version().lastColumnId()).isEqualTo(3);
        AlbisTable nested = warehouse.alter(added, new AddField(ID, ImmutableList.of(2), "y", new ArrayType(BIGINT), false));
        assertColumn(nested, rowType(field("a", INTEGER), field("b", rowType(field("x", INTEGER), field("y", new ArrayType(BIGINT)))), field("c", VARCHAR)), 1, 2, 1, 4, 1, 3);
        assertThat(nested.version().columns().getFirst().fieldIds()).isPresent();
        // no file of a row group and no manifest is written, and the number of nulls of the column remains known
        assertThat(nested.version().manifests()).isEqualTo(base.version().manifests());
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new AddField(ID, COLUMN, "C", BIGINT, false)));
        assertThat(warehouse.alter(base, new AddField(ID, COLUMN, "C", BIGINT, true)).version().columns()).isEqualTo(nested.version().columns());
        assertRefused(CONFLICT, () -> warehouse.alter(base, new AddField(ID, ImmutableList.of(9), "d", BIGINT, false)));
        assertRefused(CONFLICT, () -> warehouse.alter(base, new AddField(ID, ImmutableList.of(1), "d", BIGINT, false)));
        assertRefused(CONFLICT, () -> warehouse.alter(base, new AddField(9, COLUMN, "d", BIGINT, false)));
    }

    /**
     * No field and no column gets an id of a field that was dropped.
     */
    @Test
    void testDropField()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("b", VARCHAR), field("c", INTEGER)));
        AlbisTable dropped = warehouse.alter(base, new DropField(ID, ImmutableList.of(3)));
        assertColumn(dropped, rowType(field("a", INTEGER), field("b", VARCHAR)), 1, 2);
        // the ids are the same as those of a column whose fields have never changed, but stored rows have another field
        assertThat(dropped.version().columns().getFirst().fieldIds()).isEmpty();
        assertThat(dropped.version().features()).containsExactly(CHANGED_FIELDS);
        AlbisTable again = warehouse.alter(dropped, new AddField(ID, COLUMN, "c", INTEGER, false));
        assertColumn(again, rowType(field("a", INTEGER), field("b", VARCHAR), field("c", INTEGER)), 1, 2, 4);
        AlbisTable column = warehouse.alter(again, add("d", BIGINT, ColumnPlace.last()));
        assertThat(column.version().columns().getLast().id()).isEqualTo(5);
        AlbisTable restored = warehouse.rollback(column, 1);
        assertThat(restored.version().columns()).isEqualTo(base.version().columns());
        AlbisTable afterRestore = warehouse.alter(restored, new AddField(ID, COLUMN, "d", INTEGER, false));
        assertColumn(afterRestore, rowType(field("a", INTEGER), field("b", VARCHAR), field("c", INTEGER), field("d", INTEGER)), 1, 2, 3, 6);
        AlbisTable single = warehouse.alter(warehouse.alter(dropped, new DropField(ID, ImmutableList.of(1))), new DropField(ID, ImmutableList.of(2)));
        assertRefused(CONFLICT, () -> warehouse.alter(single, new DropField(ID, ImmutableList.of(2))));
        AlbisTable last = warehouse.alter(single, new DropField(ID, ImmutableList.of(6)));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(last, new DropField(ID, ImmutableList.of(3))));
    }

    @Test
    void testRenameField()
    {
        AlbisTable base = createTable(new ArrayType(rowType(field("a", INTEGER), field("b", VARCHAR))));
        AlbisTable renamed = warehouse.alter(base, new RenameField(ID, ImmutableList.of(1, 2), "c"));
        assertColumn(renamed, new ArrayType(rowType(field("a", INTEGER), field("c", VARCHAR))), 1, 1, 2);
        // rows are stored as before, so any reader can read them
        assertThat(renamed.version().features()).isEmpty();
        assertThat(renamed.version().schemaId()).isEqualTo(base.version().schemaId() + 1);
        assertColumn(warehouse.alter(renamed, new RenameField(ID, ImmutableList.of(1, 2), "C")), new ArrayType(rowType(field("a", INTEGER), field("C", VARCHAR))), 1, 1, 2);
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(renamed, new RenameField(ID, ImmutableList.of(1, 2), "A")));
        assertRefused(CONFLICT, () -> warehouse.alter(renamed, new RenameField(ID, ImmutableList.of(1, 3), "d")));
        assertRefused(CONFLICT, () -> warehouse.alter(renamed, new RenameField(ID, ImmutableList.of(1), "d")));
    }

    @Test
    void testSetType()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("b", VARCHAR)));
        AlbisTable widened = warehouse.alter(base, new SetFieldType(ID, ImmutableList.of(1), BIGINT));
        assertColumn(widened, rowType(field("a", BIGINT), field("b", VARCHAR)), 1, 2);
        assertThat(widened.version().features()).containsExactly(CHANGED_FIELDS);
        assertThat(widened.version().manifests()).isEqualTo(base.version().manifests());
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(widened, new SetFieldType(ID, ImmutableList.of(1), INTEGER)));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(widened, new SetFieldType(ID, ImmutableList.of(1), new ArrayType(BIGINT))));
        // fields are found by their names
        AlbisTable fields = warehouse.alter(widened, new SetType(ID, rowType(field("c", INTEGER), field("B", VARCHAR))));
        assertColumn(fields, rowType(field("c", INTEGER), field("B", VARCHAR)), 3, 2);
        AlbisTable back = warehouse.alter(fields, new SetType(ID, rowType(field("a", BIGINT), field("B", VARCHAR), field("c", INTEGER))));
        assertColumn(back, rowType(field("a", BIGINT), field("B", VARCHAR), field("c", INTEGER)), 4, 2, 3);
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(back, new SetType(ID, RowType.anonymousRow(BIGINT, VARCHAR))));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(back, new SetType(ID, BIGINT)));
    }

    @Test
    void testFieldsWithoutNames()
    {
        AlbisTable base = createTable(RowType.anonymousRow(INTEGER, VARCHAR));
        AlbisTable longer = warehouse.alter(base, new SetType(ID, RowType.anonymousRow(BIGINT, VARCHAR, INTEGER)));
        assertColumn(longer, RowType.anonymousRow(BIGINT, VARCHAR, INTEGER), 1, 2, 3);
        assertColumn(warehouse.alter(longer, new SetType(ID, RowType.anonymousRow(BIGINT))), RowType.anonymousRow(BIGINT), 1);
    }

    /**
     * Fields with names that differ only in case can be told apart, unless neither has the new name.
     */
    @Test
    void testSimilarNames()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("A", INTEGER)));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new AddField(ID, COLUMN, "a", INTEGER, false)));
        assertColumn(warehouse.alter(base, new SetType(ID, rowType(field("A", BIGINT), field("b", INTEGER)))), rowType(field("A", BIGINT), field("b", INTEGER)), 2, 3);
        assertColumn(warehouse.rollback(load(warehouse, "s", "t"), 1), rowType(field("a", INTEGER), field("A", INTEGER)), 1, 2);
        AlbisTable longNames = warehouse.alter(warehouse.alter(load(warehouse, "s", "t"), new RenameField(ID, ImmutableList.of(1), "name")), new RenameField(ID, ImmutableList.of(2), "other"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(longNames, new RenameField(ID, ImmutableList.of(2), "NAME")));
    }

    /**
     * A field of a new type would otherwise get the values of another one, and the engine could not distinguish them.
     */
    @Test
    void testSimilarNamesOfNewType()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER)));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new SetType(ID, rowType(field("A", INTEGER), field("a", INTEGER)))));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new SetType(ID, rowType(field("a", INTEGER), field("A", INTEGER)))));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new SetType(ID, rowType(field("b", INTEGER), field("B", VARCHAR)))));
        assertRefused(ALREADY_EXISTS, () -> warehouse.alter(base, new SetType(ID, rowType(field("a", INTEGER), field("a", INTEGER)))));
        assertColumn(warehouse.alter(base, new SetType(ID, rowType(field("b", INTEGER), field("A", INTEGER)))), rowType(field("b", INTEGER), field("A", INTEGER)), 2, 1);
    }

    @Test
    void testSimilarNamesOfCreatedTable()
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("A", INTEGER)));
        assertColumn(warehouse.alter(base, new SetType(ID, rowType(field("A", BIGINT), field("a", INTEGER)))), rowType(field("A", BIGINT), field("a", INTEGER)), 2, 1);
    }

    /**
     * Keys that lose a field could be equal, and keys that get one would contain nulls.
     */
    @Test
    void testKeys()
    {
        AlbisTable base = createTable(new MapType(rowType(field("a", INTEGER), field("b", INTEGER)), rowType(field("v", INTEGER), field("w", INTEGER)), OPERATORS));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(base, new AddField(ID, ImmutableList.of(1), "c", INTEGER, false)));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(base, new DropField(ID, ImmutableList.of(1, 2))));
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(base, new SetFieldType(ID, ImmutableList.of(1), rowType(field("a", INTEGER), field("c", INTEGER)))));
        AlbisTable changed = warehouse.alter(base, new RenameField(ID, ImmutableList.of(1, 2), "c"));
        changed = warehouse.alter(changed, new SetFieldType(ID, ImmutableList.of(1, 1), BIGINT));
        changed = warehouse.alter(changed, new AddField(ID, ImmutableList.of(2), "x", INTEGER, false));
        changed = warehouse.alter(changed, new DropField(ID, ImmutableList.of(2, 1)));
        assertColumn(changed, new MapType(rowType(field("a", BIGINT), field("c", INTEGER)), rowType(field("w", INTEGER), field("x", INTEGER)), OPERATORS), 1, 1, 2, 2, 2, 3);
    }

    @Test
    void testLimits()
    {
        AlbisTable base = createTable(RowType.from(Collections.nCopies(998, field("f", INTEGER))));
        AlbisTable full = warehouse.alter(base, new AddField(ID, COLUMN, "last", INTEGER, false));
        assertThat(full.version().lastColumnId()).isEqualTo(999);
        assertRefused(NOT_SUPPORTED, () -> warehouse.alter(full, new AddField(ID, COLUMN, "more", INTEGER, false)));
    }

    @Test
    void testDamagedIds()
            throws IOException
    {
        AlbisTable base = createTable(rowType(field("a", INTEGER), field("b", INTEGER)));
        AlbisTable changed = warehouse.alter(warehouse.alter(base, new DropField(ID, ImmutableList.of(1))), new AddField(ID, COLUMN, "c", new ArrayType(VARCHAR), false));
        String version = new TablePaths(changed.folder()).version(3).toString();
        String text = new String(files(fileSystem, changed.folder()).get(version), UTF_8);
        assertThat(text).contains("\"fieldIds\":[2,3,1]");
        for (String damage : List.of("[2,3]", "[2,3,1,1]", "[2,3,2]", "[2,2,1]", "[0,3,1]", "7", "[null,3,1]")) {
            overwrite(fileSystem, version, withChecksum(text.replace("\"fieldIds\":[2,3,1]", "\"fieldIds\":" + damage)));
            assertThatThrownBy(() -> load(warehouse, "s", "t"))
                    .as(damage)
                    .hasStackTraceContaining("Damaged Albis file " + version);
        }
        overwrite(fileSystem, version, withChecksum(text.replace("\"features\":[\"changed-fields\"]", "\"features\":[]")));
        assertThatThrownBy(() -> load(warehouse, "s", "t")).hasStackTraceContaining("a column has ids of fields, but features does not contain changed-fields");
        overwrite(fileSystem, version, text.getBytes(UTF_8));
        assertThat(load(warehouse, "s", "t").version()).isEqualTo(changed.version());
    }

    /**
     * The rows of a writer that began before have the earlier fields.
     */
    @Test
    void testAppendAfterChange()
    {
        List<FieldChange> changes = ImmutableList.of(
                new AddField(ID, COLUMN, "c", INTEGER, false),
                new DropField(ID, ImmutableList.of(1)),
                new RenameField(ID, ImmutableList.of(1), "c"),
                new SetFieldType(ID, ImmutableList.of(1), BIGINT));
        for (FieldChange change : changes) {
            AlbisTable base = createTable(rowType(field("a", INTEGER), field("b", INTEGER)));
            AlbisTable changed = warehouse.alter(base, change);
            assertThat(changed.version().schemaId()).isEqualTo(base.version().schemaId() + 1);
            assertRefused(CONFLICT, () -> warehouse.append(base, rows(rowGroup()), ReadSet.BLIND));
            assertThat(warehouse.append(changed, rows(rowGroup()), ReadSet.BLIND).rowCount()).isEqualTo(20);
            warehouse.dropTable(load(warehouse, "s", "t"));
        }
    }

    private AlbisTable createTable(Type type)
    {
        TableDefinition definition = new TableDefinition(
                ImmutableList.of(new TableColumn(ID, "c", type, true, Optional.empty())),
                ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(ID))),
                ImmutableMap.of(),
                Optional.empty(),
                Optional.empty());
        return warehouse.createTable(warehouse.newTable("s", "t", definition), rows(rowGroup()));
    }

    /**
     * Returns a row group without files.
     */
    private static RowGroup rowGroup()
    {
        return new RowGroup(UUID.randomUUID(), 10, ImmutableList.of(instance(ID)), ImmutableList.of(statistics(ID, 3)));
    }

    private void assertColumn(AlbisTable table, Type type, Integer... ids)
    {
        TableColumn column = table.version().columns().getFirst();
        assertThat(column.type()).isEqualTo(type);
        assertThat(column.fields()).isEqualTo(new FieldIds(ImmutableList.copyOf(ids)));
        assertThat(load(warehouse, "s", "t").version()).isEqualTo(table.version());
    }
}
