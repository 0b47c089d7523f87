package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.PartitionValue;
import io.albis.table.Warehouse;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.TableDefinition;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

final class TestPartitionsTable
{
    private static final SchemaTableName NAME = new SchemaTableName("s", "t$partitions");

    @Test
    void testDamagedValue()
    {
        assertThat(read(new byte[Long.BYTES]).getNextSourcePage().getPositionCount()).isEqualTo(1);
        for (int length : new int[] {0, 3, 9}) {
            assertTrinoExceptionThrownBy(() -> read(new byte[length]).getNextSourcePage())
                    .hasErrorCode(ALBIS_BAD_DATA)
                    .hasMessage("Damaged Albis table s.t: a value of the partitions by column 1 is not valid for type bigint: it has %s bytes instead of 8", length);
        }
    }

    private static ConnectorPageSource read(byte[] value)
    {
        Warehouse warehouse = warehouse(new MemoryFileSystem());
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(PartitionFields.PROPERTY, "1 identity"), Optional.empty(), Optional.empty());
        PartitionValue partition = new PartitionValue(1, 0, 0, Optional.of(value));
        AlbisTable table = warehouse.createTable(warehouse.newTable("s", "t", definition), rows(oneRow().withPartition(ImmutableList.of(partition))));
        return PartitionsTable.create(NAME, table).pageSource(null, null, TupleDomain.all());
    }
}
