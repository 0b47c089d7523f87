package io.albis.launcher.importing;

import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.CreateTable;
import org.junit.jupiter.api.Test;

import static com.google.common.collect.Maps.transformValues;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static org.assertj.core.api.Assertions.assertThat;

class TestTableProperties
{
    private static final String COLUMNS = "id bigint, at timestamp(6), region varchar, price double, day date, \"odd name\" integer, \"a\"\"b\" integer, r ROW(x integer), list array(integer), \"select\" varchar";

    @Test
    void testNoProperties()
    {
        TableProperties.Mapped mapped = TableProperties.map((CreateTable) new SqlParser().createStatement("CREATE TABLE t (a integer)"));
        assertThat(mapped.properties()).isEmpty();
        assertThat(mapped.missing()).isEmpty();
    }

    @Test
    void testIcebergPartitions()
    {
        TableProperties.Mapped mapped = map(
                """
                format = 'PARQUET',
                format_version = 2,
                partitioning = ARRAY['year(at)','month(at)','day(at)','hour(at)','bucket(id, 16)','truncate(region, 3)','region','"odd name"','bucket("a""b", 4)','"select"']
                """);
        assertThat(transformValues(mapped.properties(), value -> formatExpression(value))).containsOnlyKeys("partitioned_by").containsEntry(
                "partitioned_by",
                "ARRAY['year(at)','month(at)','day(at)','hour(at)','bucket(id, 16)','truncate(region, 3)','region','\"odd name\"','bucket(\"a\"\"b\", 4)','select']");
        assertThat(mapped.missing()).containsExactly("format = 'PARQUET', format_version = 2");
    }

    @Test
    void testPartitionsThatAlbisDoesNotHave()
    {
        TableProperties.Mapped mapped = map("partitioning = ARRAY['void(id)','\"r.x\"','day(at)','bucket(\"r.x\", 4)','reverse(id)']");
        assertThat(transformValues(mapped.properties(), value -> formatExpression(value))).containsOnlyKeys("partitioned_by").containsEntry("partitioned_by", "ARRAY['day(at)']");
        assertThat(mapped.missing()).containsExactly(
                "partitioning 'void(id)'",
                "partitioning '\"r.x\"'",
                "partitioning 'bucket(\"r.x\", 4)'",
                "partitioning 'reverse(id)'");
    }

    @Test
    void testIcebergOrder()
    {
        TableProperties.Mapped mapped = map("sorted_by = ARRAY['id DESC NULLS FIRST','\"odd name\" ASC NULLS FIRST','\"r.x\" ASC NULLS FIRST','\"a\"\"b\" DESC NULLS LAST']");
        assertThat(transformValues(mapped.properties(), value -> formatExpression(value))).containsOnlyKeys("sorted_by").containsEntry(
                "sorted_by",
                "ARRAY['id DESC NULLS FIRST','\"odd name\" ASC NULLS FIRST','\"a\"\"b\" DESC NULLS LAST']");
        assertThat(mapped.missing()).containsExactly("sorted_by '\"r.x\" ASC NULLS FIRST'");
    }

    /**
     * Tests that names need no double quotes, as in the properties of the Hive connector.
     */
    @Test
    void testHive()
    {
        TableProperties.Mapped mapped = map(
                """
                bucket_count = 8,
                bucketed_by = ARRAY['odd name'],
                bucketing_version = 1,
                format = 'ORC',
                partitioned_by = ARRAY['day','a"b'],
                sorted_by = ARRAY['odd name','region DESC','a"b DESC']
                """);
        assertThat(transformValues(mapped.properties(), value -> formatExpression(value)))
                .containsOnlyKeys("partitioned_by", "sorted_by")
                .containsEntry("partitioned_by", "ARRAY['day','\"a\"\"b\"','bucket(\"odd name\", 8)']")
                .containsEntry("sorted_by", "ARRAY['\"odd name\"','region DESC','\"a\"\"b\" DESC']");
        assertThat(mapped.missing()).containsExactly("bucketing_version = 1, format = 'ORC'");
    }

    @Test
    void testBuckets()
    {
        assertThat(formatExpression(map("bucketed_by = ARRAY['day'], bucket_count = 2").properties().get("partitioned_by"))).isEqualTo("ARRAY['bucket(day, 2)']");
        assertThat(formatExpression(map("bucketed_by = ARRAY['at'], bucket_count = 2").properties().get("partitioned_by"))).isEqualTo("ARRAY['bucket(at, 2)']");
    }

    @Test
    void testBucketsThatAlbisDoesNotHave()
    {
        for (String columns : new String[] {"'id','region'", "'price'", "'r'", "'list'"}) {
            TableProperties.Mapped mapped = map("bucketed_by = ARRAY[%s], bucket_count = 2".formatted(columns));
            assertThat(mapped.properties()).isEmpty();
            assertThat(mapped.missing()).containsExactly("bucketed_by = ARRAY[%s], bucket_count = 2".formatted(columns));
        }
    }

    private static TableProperties.Mapped map(String properties)
    {
        return TableProperties.map((CreateTable) new SqlParser().createStatement("CREATE TABLE t (%s) WITH (%s)".formatted(COLUMNS, properties)));
    }
}
