package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisQueryRunner;
import io.trino.testing.BaseDynamicPartitionPruningTest;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.Tag;

import java.util.List;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;

/**
 * Trino's tests of dynamic filters on the columns by which a table is partitioned.
 */
@Tag("slow")
final class TestAlbisDynamicPartitionPruning
        extends BaseDynamicPartitionPruningTest
{
    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return AlbisQueryRunner.builder()
                .setExtraProperties(EXTRA_PROPERTIES)
                .addAlbisProperty("albis.dynamic-filtering.wait-timeout", "1h")
                .setInitialTables(ImmutableList.copyOf(REQUIRED_TABLES))
                .build();
    }

    @Override
    protected void createLineitemTable(String tableName, List<String> columns, List<String> partitionColumns)
    {
        getQueryRunner().execute("CREATE TABLE %s WITH (partitioned_by = %s) AS SELECT %s FROM tpch.tiny.lineitem".formatted(tableName, array(partitionColumns.stream()), String.join(", ", columns)));
    }

    @Override
    protected void createPartitionedTable(String tableName, List<String> columns, List<String> partitionColumns)
    {
        getQueryRunner().execute("CREATE TABLE %s (%s) WITH (partitioned_by = %s)".formatted(tableName, String.join(", ", columns), array(partitionColumns.stream())));
    }

    @Override
    protected void createPartitionedAndBucketedTable(String tableName, List<String> columns, List<String> partitionColumns, List<String> bucketColumns)
    {
        Stream<String> partitions = Stream.concat(partitionColumns.stream(), bucketColumns.stream().map("bucket(%s, 10)"::formatted));
        getQueryRunner().execute("CREATE TABLE %s (%s) WITH (partitioned_by = %s)".formatted(tableName, String.join(", ", columns), array(partitions)));
    }

    private static String array(Stream<String> texts)
    {
        return texts.map("'%s'"::formatted).collect(joining(", ", "ARRAY[", "]"));
    }
}
