package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.row.ReadSet;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static io.albis.table.TableFixtures.assertSketches;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The row groups and sketches that several commits add.
 */
class TestTableRows
{
    @Test
    void testUnion()
    {
        TableRows one = rows(oneRow(), oneRow());
        TableRows other = rows(oneRow());
        TableRows union = TableRows.union(ImmutableList.of(one, TableRows.NONE, other));
        assertThat(union.rowGroups()).containsExactly(one.rowGroups().get(0), one.rowGroups().get(1), other.rowGroups().getFirst());
        assertThat(union.sketches().columns()).containsOnlyKeys(1, 2);
        assertThat(union.sketches().get(1).orElseThrow().values()).isEqualTo(3);
        assertThat(union.sketches().get(2).orElseThrow().distinctValues()).isEqualTo(3);
        assertThat(TableRows.union(ImmutableList.of())).isEqualTo(TableRows.NONE);
    }

    @Test
    void testUnknown()
    {
        TableRows known = rows(oneRow());
        TableRows unknown = TableRows.withoutSketches(ImmutableList.of(oneRow()));
        assertThat(TableRows.union(ImmutableList.of(known, unknown)).sketches()).isEqualTo(ColumnSketches.NONE);
        assertThat(TableRows.union(ImmutableList.of(unknown, known)).sketches()).isEqualTo(ColumnSketches.NONE);
        TableRows half = new TableRows(ImmutableList.of(oneRow()), ColumnSketches.of(ImmutableList.of(known.sketches().get(2).orElseThrow())));
        assertThat(TableRows.union(ImmutableList.of(known, half)).sketches().columns()).containsOnlyKeys(2);
    }

    /**
     * Row groups from before a column was added do not have the column, so it is null there.
     */
    @Test
    void testColumnThatIsNotThere()
    {
        RowGroup rowGroup = oneRow();
        RowGroup old = new RowGroup(rowGroup.id(), 1, ImmutableList.of(rowGroup.columnGroups().getFirst()), ImmutableList.of());
        TableRows known = rows(oneRow());
        ColumnSketches sketches = TableRows.union(ImmutableList.of(known, TableRows.withoutSketches(ImmutableList.of(old)))).sketches();
        assertThat(sketches.columns()).containsOnlyKeys(2);
        assertThat(sketches.get(2)).isEqualTo(known.sketches().get(2));
    }

    @Test
    void testMergedManifests()
    {
        Warehouse warehouse = warehouse(new MemoryFileSystem());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", oneRow());
        int rowGroups = 1;
        for (int commit = 0; commit < 200; commit++) {
            RowGroup[] added = IntStream.range(0, 1 + commit % 3)
                    .mapToObj(_ -> oneRow())
                    .toArray(RowGroup[]::new);
            warehouse.append(load(warehouse, "s", "t"), rows(added), ReadSet.BLIND);
            rowGroups += added.length;
        }
        AlbisTable table = load(warehouse, "s", "t");
        assertThat(table.version().manifests()).hasSizeLessThan(20);
        assertThat(table.rowGroups()).hasSize(rowGroups);
        assertSketches(table, rowGroups);

        // A commit without sketches
        warehouse.append(table, TableRows.withoutSketches(List.of(oneRow())), ReadSet.BLIND);
        for (int commit = 0; commit < 10; commit++) {
            assertThat(load(warehouse, "s", "t").sketches()).isEqualTo(ColumnSketches.NONE);
            warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        }
    }
}
