package io.albis.launcher.importing;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.LauncherException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.OptionalLong;

import static io.trino.spi.StandardErrorCode.TABLE_NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestImportPlan
{
    private static final String PARTITIONED = "CREATE TABLE hive.shop.sales (id bigint, ds date) WITH (partitioned_by = ARRAY['ds'])";

    private static final TableReference SOURCE = TableReference.parse("hive.\"My Shop\".sales");
    private static final TableReference TARGET = TableReference.parse("albis.shop.sales");
    private static final TableReference STAGING = TARGET.withSuffix("_import_1");

    /**
     * Trino does not distinguish the case of their names.
     */
    @Test
    void testNamesOfProperties()
    {
        assertThat(plan(OptionalLong.empty(), PARTITIONED, "PARTITIONED_BY = DEFAULT").create()).doesNotContainIgnoringCase("partitioned_by");
        assertThat(plan(OptionalLong.empty(), PARTITIONED, "PARTITIONED_BY = ARRAY['id']").create()).containsOnlyOnce("partitioned_by = ARRAY['id']").doesNotContain("ARRAY['ds']");
    }

    @Test
    void testNumber()
    {
        assertThatThrownBy(() -> plan(OptionalLong.empty(), "CREATE TABLE postgresql.shop.sales (id bigint, \"N\" number)", "compression = 'zstd'"))
                .isInstanceOf(LauncherException.class)
                .hasMessageContaining("has type number, which an Albis table cannot hold");
    }

    /**
     * The Hive connector rounds the times of a file to the precision of the session, which is that of the type.
     */
    @Test
    void testTimestampsOfHive()
    {
        String definition = "CREATE TABLE hive.shop.sales (id bigint, a timestamp(3), b array(timestamp(6)), c timestamp(9))";
        assertThat(plan(OptionalLong.empty(), definition, "compression = 'zstd'").missing()).containsExactly(
                "column a: further digits of times than those of its type. The property timestamp_precision of the session decides about them",
                "column b: further digits of times than those of its type. The property timestamp_precision of the session decides about them");
    }

    @Test
    void testErrorCode()
    {
        assertThat(TableImport.TABLE_NOT_FOUND).isEqualTo(TABLE_NOT_FOUND.toErrorCode().getCode());
    }

    @Test
    void testStatements()
    {
        ImportPlan plan = plan(
                OptionalLong.of(7),
                """
                CREATE TABLE hive.shop.sales (
                   id bigint NOT NULL COMMENT 'it''s',
                   "select" varchar DEFAULT 'none',
                   r ROW(x integer, "y z" varchar),
                   ds date WITH (partition_projection_type = 'date')
                )
                COMMENT 'all ''sales'''
                WITH (
                   format = 'ORC',
                   partitioned_by = ARRAY['ds']
                )
                """,
                "compression = 'zstd'");
        assertThat(plan.create()).isEqualTo(
                """
                CREATE TABLE albis.shop.sales_import_1 (
                   id bigint NOT NULL COMMENT 'it''s',
                   "select" varchar DEFAULT 'none',
                   r ROW(x integer, "y z" varchar),
                   ds date
                )
                COMMENT 'all ''sales'''
                WITH (
                   partitioned_by = ARRAY['ds'],
                   compression = 'zstd'
                )""");
        assertThat(plan.copy()).isEqualTo(
                """
                INSERT INTO albis.shop.sales_import_1 (id, "select", r, ds)
                SELECT id, "select", r, ds
                FROM hive."My Shop".sales FOR VERSION AS OF 7""");
        assertThat(plan.checksumsOfSource()).isEqualTo(
                """
                SELECT count(*), checksum(id), checksum("select"), checksum(r), checksum(ds)
                FROM hive."My Shop".sales FOR VERSION AS OF 7""");
        assertThat(plan.checksumsOfCopy()).isEqualTo(
                """
                SELECT count(*), checksum(id), checksum("select"), checksum(r), checksum(ds)
                FROM albis.shop.sales_import_1""");
        assertThat(plan.rename()).isEqualTo("ALTER TABLE albis.shop.sales_import_1 RENAME TO albis.shop.sales");
        assertThat(plan.drop()).isEqualTo("DROP TABLE albis.shop.sales_import_1");
        assertThat(plan.check())
                .startsWith("EXPLAIN CREATE TABLE albis.shop.sales")
                .contains("COMMENT 'all ''sales'''", "partitioned_by = ARRAY['ds']", "compression = 'zstd'", "FOR VERSION AS OF 7");
        assertThat(plan.missing()).containsExactly("format = 'ORC'", "column ds: partition_projection_type");
    }

    @Test
    void testOverrides()
    {
        String definition = "CREATE TABLE hive.shop.sales (a date, b date) WITH (partitioned_by = ARRAY['a'], sorted_by = ARRAY['b'])";
        assertThat(plan(OptionalLong.empty(), definition, "partitioned_by = ARRAY['month(a)']").create())
                .contains("partitioned_by = ARRAY['month(a)']", "sorted_by = ARRAY['b']");
        assertThat(plan(OptionalLong.empty(), definition, "partitioned_by = DEFAULT, sorted_by = DEFAULT").create())
                .doesNotContain("WITH");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "compression", "compression = 'zstd'; DROP TABLE t", "a = 1) COMMENT 'b'"})
    void testInvalidOverrides(String text)
    {
        assertThatThrownBy(() -> ImportPlan.parseProperties(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Not table properties: '%s'. They look like compression = 'zstd', row_group_size = '64MB'", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sales", "shop.sales", "a.b.c.d", "a.b.c d", "a.b.c; DROP TABLE d", "a.b.", ""})
    void testInvalidNames(String text)
    {
        assertThatThrownBy(() -> TableReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Not a table with its catalog and schema: '%s'. It looks like iceberg.shop.sales", text);
    }

    @Test
    void testNames()
    {
        assertThat(TableReference.parse("a.\"b.c\".\"d \"\"e\"")).hasToString("a.\"b.c\".\"d \"\"e\"");
        assertThat(TableReference.parse("a.b.\"d e\"").withSuffix("_1")).hasToString("a.b.\"d e_1\"");
        assertThat(TableReference.parse("A.b.C").catalog()).isEqualTo("a");
    }

    private static ImportPlan plan(OptionalLong version, String definition, String overrides)
    {
        return ImportPlan.create(SOURCE, TARGET, STAGING, version, definition, ImmutableList.copyOf(ImportPlan.parseProperties(overrides)), true);
    }
}
