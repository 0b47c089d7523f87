package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.RowGroup;
import io.albis.table.HookedFileSystem;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.Warehouse;
import io.albis.table.model.TableColumn;
import io.albis.table.model.TableColumnGroup;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replacement stalls before any of its operations, while others commit and the version from which it began expires.
 */
@Timeout(120)
class TestReplacementBesideExpiry
{
    private static final TableDefinition OTHER = new TableDefinition(
            ImmutableList.of(new TableColumn(1, "other", BIGINT, true, Optional.empty())),
            ImmutableList.of(new TableColumnGroup(BLOCK, ImmutableList.of(1))),
            ImmutableMap.of(),
            Optional.empty(),
            Optional.empty());

    @Test
    void testReplacementStalls()
            throws IOException
    {
        for (boolean withRows : new boolean[] {false, true}) {
            int position = 0;
            while (stall(position, withRows)) {
                position++;
            }
            assertThat(position).isGreaterThan(3);
        }
    }

    /**
     * @return whether the replacement has so many operations
     */
    private static boolean stall(int position, boolean withRows)
            throws IOException
    {
        MemoryFileSystem fileSystem = new MemoryFileSystem();
        MaintainedTable table = MaintainedTable.create(fileSystem);
        Warehouse others = warehouse(fileSystem);
        RowGroup rowGroup = table.rowGroup();
        AtomicInteger operations = new AtomicInteger();
        Warehouse stalling = warehouse(new HookedFileSystem(fileSystem, new Hook()
        {
            @Override
            public void before(Operation operation)
            {
                if (operations.getAndIncrement() == position) {
                    for (int i = 0; i < 3; i++) {
                        others.append(load(others, "s", "t"), rows(table.rowGroup()), ReadSet.BLIND);
                    }
                    others.expireVersions(load(others, "s", "t"), Instant.now().plus(Duration.ofDays(1)), 1);
                }
            }
        }));
        AlbisTable base = table.created();
        TableRows replacing = withRows ? TableRows.withoutSketches(ImmutableList.of(rowGroup)) : TableRows.NONE;
        AlbisTable replaced = stalling.replaceTable(base, OTHER, replacing, false);
        if (operations.get() <= position) {
            return false;
        }
        // The stalled hint is written after the commit
        assertThat(table.newest().columns()).hasSize(1);
        assertThat(table.newest().lastColumnId()).isEqualTo(3);
        assertThat(replaced.rowGroups()).extracting(RowGroup::id).isEqualTo(withRows ? ImmutableList.of(rowGroup.id()) : ImmutableList.of());
        table.checkReadable(ImmutableMap.of());
        return true;
    }
}
