package io.albis.trino.partition;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionFields;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.TableDefinition;
import io.albis.table.model.TableRows;
import io.albis.table.sketch.ColumnSketches;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.POLICY;
import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.TYPE_RESOLVER;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scans that the engine distributes by buckets, without SQL.
 */
final class TestBucketPushdown
{
    private static final int ROW_GROUPS = 10;
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);
    private static final ConnectorSession SESSION = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig().setWarehouse("local:///warehouse"), new AlbisReadConfig()).getSessionProperties())
            .build();

    private final Warehouse warehouse = new Warehouse(new MemoryFileSystem(), ROOT, TYPE_RESOLVER, WarehouseOptions.DEFAULT.withPolicy(POLICY));

    /**
     * The row groups of a scan are limited, whatever the size of the table.
     */
    @Test
    void testManyRowGroups()
    {
        AlbisTable table = create(ROW_GROUPS);
        assertThat(apply(new BucketPushdown(ROW_GROUPS), table, Domain.all(BIGINT))).isTrue();
        BucketPushdown limited = new BucketPushdown(ROW_GROUPS - 1);
        assertThat(apply(limited, table, Domain.all(BIGINT))).isFalse();
        // a row group counts if its manifest is read
        assertThat(apply(limited, table, lessThan(5))).isFalse();
        assertThat(apply(limited, table, lessThan(0))).isTrue();
    }

    /**
     * The answers for different predicates on one table are different.
     */
    @Test
    void testRowGroupsWithoutBucket()
    {
        AlbisTable table = create(ROW_GROUPS / 2);
        BucketPushdown pushdown = new BucketPushdown();
        for (int round = 0; round < 2; round++) {
            assertThat(apply(pushdown, table, Domain.all(BIGINT))).isFalse();
            assertThat(apply(pushdown, table, lessThan(10 * ROW_GROUPS / 2))).isTrue();
            assertThat(apply(pushdown, table, lessThan(10 * ROW_GROUPS / 2 + 1))).isFalse();
        }
    }

    private static boolean apply(BucketPushdown pushdown, AlbisTable table, Domain domain)
    {
        AlbisTableHandle handle = new AlbisTableHandle("s", "t", table.uuid(), table.folder().toString(), table.version().version(), TupleDomain.withColumnDomains(ImmutableMap.of(ID, domain)), TupleDomain.all());
        return pushdown.apply(SESSION, table, handle, Optional.empty(), ImmutableList.of(ID)).isPresent();
    }

    private static Domain lessThan(long limit)
    {
        return Domain.create(ValueSet.ofRanges(Range.lessThan(BIGINT, limit)), false);
    }

    /**
     * Creates a table that is partitioned by buckets. Row group {@code i} has ten numbers from {@code 10 * i}.
     *
     * @param bucketed number of row groups with a bucket; the others were written before the table was partitioned
     */
    private AlbisTable create(int bucketed)
    {
        PartitionField field = new PartitionField(1, PartitionTransform.BUCKET, 4);
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        TableDefinition definition = new TableDefinition(DEFINITION.columns(), DEFINITION.columnGroups(), ImmutableMap.of(PartitionFields.PROPERTY, PartitionFields.format(ImmutableList.of(field))), Optional.empty(), Optional.empty());
        List<RowGroup> rowGroups = LongStream.range(0, ROW_GROUPS)
                .mapToObj(index -> new RowGroup(
                        UUID.randomUUID(),
                        10,
                        ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 100, 100)),
                        ImmutableList.of(new ColumnStatistics(1, 0, ASCENDING, bytes(10 * index), bytes(10 * index + 9)).withBoundsType("bigint")))
                        .withPartition(index < bucketed ? ImmutableList.of(new PartitionValue(1, PartitionTransform.BUCKET.code(), 4, bytes(index % 4))) : ImmutableList.of()))
                .collect(toImmutableList());
        return warehouse.createTable(warehouse.newTable("s", "t", definition), new TableRows(rowGroups, ColumnSketches.NONE));
    }

    private static Optional<byte[]> bytes(long value)
    {
        return Optional.of(StoredValues.toBytes(writeNativeValue(BIGINT, value), 0));
    }
}
