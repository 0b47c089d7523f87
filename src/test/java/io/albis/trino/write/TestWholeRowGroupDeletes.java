package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.statistics.ColumnStatistics;
import io.albis.format.type.StoredValues;
import io.albis.table.Warehouse;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.MetadataAnswer;
import io.albis.trino.relation.QueryReads;
import io.albis.trino.relation.TableLoader;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.UUID;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.format.statistics.ValueOrder.ASCENDING;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A statement deletes the second of two row groups while another one adds a row group that its predicate excludes.
 */
final class TestWholeRowGroupDeletes
{
    private static final SchemaTableName NAME = new SchemaTableName("s", "t");
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);

    private final Warehouse warehouse = warehouse(new MemoryFileSystem());
    private final QueryReads queries = new QueryReads();
    private final TableLoader tables = new TableLoader(warehouse, queries.begin("query", new CatalogName("first")));
    private final WholeRowGroupDeletes deletes = new WholeRowGroupDeletes(warehouse, tables);
    private AlbisTableHandle scan;
    private AlbisTableHandle target;

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", rowGroup(0), rowGroup(10));
        AlbisTable table = tables.find(NAME).orElseThrow();
        scan = new AlbisTableHandle("s", "t", table.uuid(), table.folder().toString(), table.version().version(), TupleDomain.all(), TupleDomain.all());
        Domain second = Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 10L, true, 19L, true)), false);
        target = scan.withPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(ID, second)), TupleDomain.all());
        assertThat(deletes.isPossible(target)).isTrue();
    }

    @Test
    void testOnlyTarget()
    {
        addRowGroup();
        assertThat(deletes.execute(target)).isEqualTo(10);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(2);
    }

    /**
     * The statement deletes the row groups of the greatest id, which it has got from metadata.
     */
    @Test
    void testAnswer()
    {
        tables.answer(scan.withAnswer(new MetadataAnswer(ImmutableList.of("max(id)"), 2), ImmutableSet.of(1)));
        addRowGroup();
        assertTrinoExceptionThrownBy(() -> deletes.execute(target)).hasErrorCode(TRANSACTION_CONFLICT);
        assertThat(load(warehouse, "s", "t").rowGroups()).hasSize(3);
    }

    @Test
    void testAnswerWithoutConflict()
    {
        tables.answer(scan.withAnswer(new MetadataAnswer(ImmutableList.of("max(id)"), 2), ImmutableSet.of(1)));
        assertThat(deletes.execute(target)).isEqualTo(10);
    }

    /**
     * The statement has read the table in another catalog with the same warehouse.
     */
    @Test
    void testOtherCatalog()
    {
        new TableLoader(warehouse, queries.begin("query", new CatalogName("second"))).scan(scan);
        addRowGroup();
        assertTrinoExceptionThrownBy(() -> deletes.execute(target)).hasErrorCode(TRANSACTION_CONFLICT);
    }

    /**
     * The name has no bounds, so its partition decides. A row group that was written before the table was partitioned
     * has any names.
     */
    @Test
    void testPartition()
    {
        createTable(warehouse, "s", "partitioned", named(0, "a"), named(10, "b"), named(20, "a"));
        AlbisTableHandle named = named("partitioned", "a");
        assertThat(deletes.isPossible(named)).isTrue();
        assertThat(deletes.execute(named)).isEqualTo(20);
        assertThat(load(warehouse, "s", "partitioned").rowGroups()).hasSize(1);

        createTable(warehouse, "s", "mixed", named(0, "a"), rowGroup(10));
        assertThat(deletes.isPossible(named("mixed", "a"))).isFalse();
        createTable(warehouse, "s", "other", named(0, "b"));
        assertThat(deletes.execute(named("other", "a"))).isEqualTo(0);
    }

    private AlbisTableHandle named(String tableName, String name)
    {
        AlbisTable table = tables.find(new SchemaTableName("s", tableName)).orElseThrow();
        return new AlbisTableHandle("s", tableName, table.uuid(), table.folder().toString(), table.version().version(), TupleDomain.all(), TupleDomain.all())
                .withPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(new AlbisColumnHandle(2, "name", VARCHAR), Domain.singleValue(VARCHAR, utf8Slice(name)))), TupleDomain.all());
    }

    private static RowGroup named(long least, String name)
    {
        return rowGroup(least).withPartition(ImmutableList.of(new PartitionValue(2, IDENTITY.code(), 0, Optional.of(name.getBytes(UTF_8)))));
    }

    private void addRowGroup()
    {
        warehouse.append(load(warehouse, "s", "t"), rows(rowGroup(20)), ReadSet.BLIND);
    }

    /**
     * Returns a row group with ten ids.
     */
    private static RowGroup rowGroup(long least)
    {
        return new RowGroup(
                UUID.randomUUID(),
                10,
                ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1, 2), 100, 100)),
                ImmutableList.of(new ColumnStatistics(1, 0, ASCENDING, bound(least), bound(least + 9)).withBoundsType("bigint")));
    }

    private static Optional<byte[]> bound(long value)
    {
        return Optional.of(StoredValues.toBytes(writeNativeValue(BIGINT, value), 0));
    }
}
