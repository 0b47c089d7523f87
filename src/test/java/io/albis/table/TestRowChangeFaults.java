package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.table.model.IndexedColumns;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.row.ReadSet.Scan;
import io.albis.table.row.RowChange;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.table.StorageFaults.everyFault;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.ids;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableOperation.DELETE;
import static io.albis.table.model.TableOperation.OPTIMIZE;
import static io.albis.table.model.TableOperation.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Storage fails while rows are deleted. The table keeps its old state or gets its new one, and no client is told the
 * wrong outcome.
 */
class TestRowChangeFaults
{
    private static final ReadSet WHERE = ReadSet.ofDelete(Scan.of(TupleDomain.all()));

    private MemoryFileSystem fileSystem;
    private AlbisTable base;
    private RowChange deletes;
    // whether the columns of the row group that changes are in one column group
    private boolean together;

    /**
     * The bitmap is combined with that of another writer, and the small manifests are written again.
     */
    @Test
    @Timeout(120)
    void testDelete()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.change(base, deletes, WHERE),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    RowGroup rowGroup = table.rowGroups().stream().filter(found -> found.rows() == 10).findFirst().orElseThrow();
                    outcome.check(rowGroup.liveRows() == 7);
                    assertThat(deletedRows(table, rowGroup)).isEqualTo(rowGroup.liveRows() == 7 ? DeletedPositions.of(1, 2, 3) : DeletedPositions.of(1, 2));
                    // The table is not damaged
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                    assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(table.rowCount() + 1);
                });
    }

    /**
     * A column is replaced, and the rows that another writer has deleted in the meantime remain deleted.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(120)
    void testUpdateInPlace(boolean together)
            throws IOException
    {
        this.together = together;
        ColumnGroupInstance instance = new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 20, 10);
        everyFault(
                this::prepared,
                warehouse -> {
                    RowGroup rewritten = new RowGroup(updated(base).id(), 10, ImmutableList.of(instance), ImmutableList.of());
                    RowChange change = new RowChange(TableRows.NONE, deletes.deletes(), ImmutableSet.of(), TableRows.withoutSketches(ImmutableList.of(rewritten)), OVERWRITE);
                    warehouse.change(base, change, ReadSet.ofDelete(Scan.of(TupleDomain.all())));
                },
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = updated(table).columnGroups().contains(instance);
                    outcome.check(committed);
                    assertThat(deletedRows(table, updated(table))).isEqualTo(committed ? DeletedPositions.of(1, 2, 3) : DeletedPositions.of(1, 2));
                    assertThat(updated(table).columnIds()).containsExactly(1, 2);
                    // The table is not damaged
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                });
    }

    /**
     * An UPDATE or a MERGE deletes rows and adds a row group, while another writer has deleted other rows.
     */
    @Test
    @Timeout(120)
    void testDeleteAndAdd()
            throws IOException
    {
        RowGroup added = oneRow();
        everyFault(
                this::prepared,
                warehouse -> warehouse.change(base, new RowChange(rows(added), deletes.deletes(), ImmutableSet.of(), OVERWRITE), WHERE),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = ids(table.rowGroups()).contains(added.id());
                    outcome.check(committed);
                    // Both parts of the change are in the table, or none
                    assertThat(table.rowGroups()).hasSize(committed ? 3 : 2);
                    assertThat(deletedRows(table, updated(table))).isEqualTo(committed ? DeletedPositions.of(1, 2, 3) : DeletedPositions.of(1, 2));
                    assertThat(table.rowCount()).isEqualTo(9);
                    // The table is not damaged
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                    assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(10);
                });
    }

    /**
     * The columns of a row group are grouped in another way, and the rows that another writer has deleted in the
     * meantime remain deleted.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(120)
    void testRegroup(boolean together)
            throws IOException
    {
        this.together = together;
        List<List<Integer>> groups = together ? ImmutableList.of(ImmutableList.of(2), ImmutableList.of(1)) : ImmutableList.of(ImmutableList.of(2, 1));
        List<ColumnGroupInstance> instances = groups.stream()
                .map(columns -> new ColumnGroupInstance(UUID.randomUUID(), columns, 20, 10))
                .toList();
        List<TableColumnGroup> columnGroups = groups.stream()
                .map(columns -> new TableColumnGroup(AlbisLayout.BLOCK, columns))
                .toList();
        everyFault(
                this::prepared,
                warehouse -> {
                    RowGroup regrouped = new RowGroup(updated(base).id(), 10, instances, ImmutableList.of());
                    warehouse.regroup(base, columnGroups, TableRows.withoutSketches(ImmutableList.of(regrouped)));
                },
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = updated(table).columnGroups().containsAll(instances);
                    outcome.check(committed);
                    // Both parts of the change are in the table, or none
                    assertThat(table.version().columnGroups().equals(columnGroups)).isEqualTo(committed);
                    assertThat(updated(table).columnGroups()).hasSize(committed == together ? 2 : 1);
                    assertThat(deletedRows(table, updated(table))).isEqualTo(DeletedPositions.of(1, 2));
                    // A delete that began before is still possible
                    warehouse.change(base, deletes, WHERE);
                    table = load(warehouse, "s", "t");
                    assertThat(deletedRows(table, updated(table))).isEqualTo(DeletedPositions.of(1, 2, 3));
                });
    }

    /**
     * An index is added to a column whose row group loses rows in the meantime.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(120)
    void testAddIndex(boolean together)
            throws IOException
    {
        this.together = together;
        ColumnGroupInstance instance = new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(2), 20, 10);
        everyFault(
                this::prepared,
                warehouse -> {
                    RowGroup rewritten = new RowGroup(updated(base).id(), 10, ImmutableList.of(instance), ImmutableList.of());
                    warehouse.addIndexes(base, ImmutableSet.of(2), TableRows.withoutSketches(ImmutableList.of(rewritten)));
                },
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = updated(table).columnGroups().contains(instance);
                    outcome.check(committed);
                    // Both parts of the change are in the table, or none
                    assertThat(IndexedColumns.of(table.version().properties()).contains(2)).isEqualTo(committed);
                    assertThat(deletedRows(table, updated(table))).isEqualTo(DeletedPositions.of(1, 2));
                });
    }

    private static RowGroup updated(AlbisTable table)
    {
        return table.rowGroups().stream().filter(found -> found.rows() == 10).findFirst().orElseThrow();
    }

    /**
     * Two row groups are replaced by one without the deleted rows, while another writer appends rows.
     */
    @Test
    @Timeout(120)
    void testOptimize()
            throws IOException
    {
        RowGroup one = oneRow();
        RowGroup optimized = new RowGroup(one.id(), 9, one.columnGroups(), one.statistics());
        everyFault(
                () -> {
                    MemoryFileSystem prepared = prepared();
                    base = load(warehouse(prepared), "s", "t");
                    warehouse(prepared).append(base, rows(oneRow()), ReadSet.BLIND);
                    return prepared;
                },
                warehouse -> warehouse.change(base, new RowChange(rows(optimized), ImmutableMap.of(), ids(base.rowGroups()), OPTIMIZE), ReadSet.BLIND),
                (warehouse, outcome) -> {
                    AlbisTable table = load(warehouse, "s", "t");
                    boolean committed = ids(table.rowGroups()).contains(optimized.id());
                    outcome.check(committed);
                    assertThat(table.rowCount()).isEqualTo(10);
                    assertThat(table.rowGroups()).hasSize(committed ? 2 : 3);
                    if (!committed) {
                        assertThat(deletedRows(table, updated(table))).isEqualTo(DeletedPositions.of(1, 2));
                    }
                    // The table is not damaged
                    warehouse.append(table, rows(oneRow()), ReadSet.BLIND);
                    assertThat(load(warehouse, "s", "t").rowCount()).isEqualTo(11);
                });
    }

    @Test
    @Timeout(120)
    void testTruncate()
            throws IOException
    {
        everyFault(
                this::prepared,
                warehouse -> warehouse.truncate(base),
                (warehouse, outcome) -> {
                    long rows = load(warehouse, "s", "t").rowCount();
                    outcome.check(rows == 0);
                    assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(rows == 0 ? 0 : 2);
                });
    }

    private MemoryFileSystem prepared()
            throws IOException
    {
        fileSystem = new MemoryFileSystem();
        Warehouse warehouse = warehouse(fileSystem);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        RowGroup one = oneRow();
        List<ColumnGroupInstance> columnGroups = together ? ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 100, 50)) : one.columnGroups();
        RowGroup rowGroup = new RowGroup(one.id(), 10, columnGroups, one.statistics());
        base = createTable(warehouse, "s", "t", rowGroup, oneRow());
        DeletesWriter writer = new DeletesWriter(fileSystem, base.folder(), UUID.randomUUID());
        DeletedRows others = writer.add(DeletedPositions.of(1, 2));
        deletes = delete(rowGroup, writer.add(DeletedPositions.of(3)));
        writer.close();
        warehouse.change(base, delete(rowGroup, others), WHERE);
        return fileSystem;
    }

    private static RowChange delete(RowGroup rowGroup, DeletedRows deletedRows)
    {
        return new RowChange(TableRows.NONE, ImmutableMap.of(rowGroup.id(), deletedRows), ImmutableSet.of(), DELETE);
    }

    private DeletedPositions deletedRows(AlbisTable table, RowGroup rowGroup)
    {
        try {
            return DeletesReader.read(fileSystem, table.folder(), rowGroup.deletedRows().orElseThrow(), rowGroup.rows());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
