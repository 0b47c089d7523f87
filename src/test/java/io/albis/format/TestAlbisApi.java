package io.albis.format;

import io.albis.format.scan.AlbisBatch;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.trino.spi.Page;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.TypeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import static io.albis.format.AlbisFilter.and;
import static io.albis.format.AlbisFilter.equal;
import static io.albis.format.AlbisFilter.greaterThan;
import static io.albis.format.AlbisFilter.isNull;
import static io.albis.format.AlbisFilter.lessThan;
import static io.albis.format.AlbisFilter.not;
import static io.albis.format.AlbisFilter.notEqual;
import static io.albis.format.AlbisFilter.or;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.HyperLogLogType.HYPER_LOG_LOG;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.RealType.REAL;
import static io.trino.spi.type.TimestampType.createTimestampType;
import static io.trino.spi.type.TimestampWithTimeZoneType.createTimestampWithTimeZoneType;
import static io.trino.spi.type.UuidType.UUID;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the interface of Table 4 of the Albis paper without a server.
 */
final class TestAlbisApi
{
    private static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", INTEGER);
    private static final AlbisColumn RATIO = AlbisColumn.make(2, "ratio", DOUBLE);
    private static final AlbisColumn NAME = AlbisColumn.make(3, "name", VARCHAR);
    private static final AlbisSchema SCHEMA = AlbisSchema.makeSchema(AlbisColumnGroup.make(NUMBER, RATIO), AlbisColumnGroup.make(NAME));

    @TempDir
    Path folder;

    private void writeRows()
            throws IOException
    {
        try (AlbisWriter writer = SCHEMA.getWriter(folder)) {
            for (int i = 0; i < 10; i++) {
                writer.setValue(0, i == 9 ? null : i);
                writer.setValue(1, i == 0 ? Double.NaN : i / 2.0);
                if (i != 5) {
                    writer.setValue(2, "name " + i);
                }
                writer.nextRow();
            }
        }
    }

    @Test
    void testRows()
            throws IOException
    {
        writeRows();
        assertThat(AlbisSchema.read(folder)).isEqualTo(SCHEMA);
        List<List<Object>> rows = new ArrayList<>();
        try (AlbisReader reader = SCHEMA.getReader(folder, AlbisFilter.ALL, NAME, NUMBER)) {
            while (reader.hasMore()) {
                assertThat(reader.hasMore()).isTrue();
                reader.next();
                rows.add(Arrays.asList(reader.getValue(0), reader.getValue(1)));
            }
            assertThatThrownBy(reader::next).hasMessage("there are no more rows");
        }
        assertThat(rows).hasSize(10);
        assertThat(rows.get(0)).containsExactly("name 0", 0L);
        assertThat(rows.get(5)).containsExactly(null, 5L);
        assertThat(rows.get(9)).containsExactly("name 9", null);
    }

    @Test
    void testBinaryRow()
            throws IOException
    {
        writeRows();
        try (AlbisReader reader = SCHEMA.getReader(folder, equal(NUMBER, 3), NUMBER, NAME)) {
            reader.next();
            assertThat(HexFormat.of().formatHex(reader.getBinaryRow())).isEqualTo("17000000" + "03" + "03000000" + "1100000006000000" + "6e616d652033");
            assertThat(reader.hasMore()).isFalse();
        }
    }

    @Test
    void testFilters()
            throws IOException
    {
        writeRows();
        // exact domains
        assertThat(numbers(lessThan(NUMBER, 3))).containsExactly(0L, 1L, 2L);
        assertThat(numbers(not(lessThan(NUMBER, 7)))).containsExactly(7L, 8L);
        assertThat(numbers(and(greaterThan(NUMBER, 2), lessThan(NUMBER, 6), notEqual(NUMBER, 4)))).containsExactly(3L, 5L);
        assertThat(numbers(or(equal(NUMBER, 1), equal(NUMBER, 8)))).containsExactly(1L, 8L);
        assertThat(numbers(isNull(NUMBER))).containsExactly((Long) null);
        assertThat(numbers(isNull(NAME))).containsExactly(5L);
        // filters that are evaluated row by row: several columns in one OR, and NaN
        assertThat(numbers(or(equal(NUMBER, 1), equal(NAME, "name 7")))).containsExactly(1L, 7L);
        assertThat(numbers(not(or(greaterThan(NUMBER, 1), isNull(NAME))))).containsExactly(0L, 1L);
        assertThat(numbers(not(lessThan(RATIO, 4.0)))).containsExactly(0L, 8L, null);
        assertThat(numbers(notEqual(RATIO, 0.5))).hasSize(9).contains(0L);
        assertThat(numbers(greaterThan(RATIO, 3.5))).containsExactly(8L, null);
        assertThat(numbers(equal(RATIO, Double.NaN))).isEmpty();
        // unknown is not false
        assertThat(numbers(not(equal(NAME, "name 1")))).doesNotContain(5L);
        assertThat(numbers(not(or(equal(NAME, "name 1"), equal(RATIO, 1.0))))).doesNotContain(5L);
        assertThat(numbers(or())).isEmpty();
        assertThat(numbers(and())).hasSize(10);
    }

    private List<Object> numbers(AlbisFilter filter)
            throws IOException
    {
        List<Object> numbers = new ArrayList<>();
        try (AlbisReader reader = SCHEMA.getReader(folder, filter, NUMBER)) {
            while (reader.hasMore()) {
                reader.next();
                numbers.add(reader.getValue(0));
            }
        }
        return numbers;
    }

    @Test
    void testVectors()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisColumn.make("a", BIGINT)));
        try (AlbisWriter writer = schema.getWriter(folder)) {
            writer.append(new Page(TypeUtils.writeNativeValue(BIGINT, 7L)));
            writer.append(new Page(TypeUtils.writeNativeValue(BIGINT, 8L)));
        }
        try (AlbisReader reader = schema.getReader(folder, AlbisFilter.ALL, schema.column("a"))) {
            AlbisBatch batch = reader.nextBatch();
            assertThat(batch.positionCount()).isEqualTo(2);
            batch.selectPositions(new int[] {1}, 0, 1);
            assertThat(BIGINT.getLong(batch.block(0), 0)).isEqualTo(8);
            assertThat(reader.nextBatch()).isNull();
            assertThat(BIGINT.getLong(batch.block(0), 0)).isEqualTo(8);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testNoRowsSelected(AlbisLayout layout)
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, List.of(AlbisColumn.make("a", BIGINT))));
        try (AlbisWriter writer = schema.getWriter(folder)) {
            writer.append(new Page(TypeUtils.writeNativeValue(BIGINT, 7L)));
        }
        try (AlbisReader reader = schema.getReader(folder, AlbisFilter.ALL, schema.column("a"))) {
            AlbisBatch batch = reader.nextBatch();
            batch.selectPositions(new int[0], 0, 0);
            assertThat(batch.positionCount()).isZero();
            assertThat(batch.block(0).getPositionCount()).isZero();
        }
    }

    @Test
    void testJavaValues()
            throws IOException
    {
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(
                AlbisColumn.make("boolean", BOOLEAN),
                AlbisColumn.make("real", REAL),
                AlbisColumn.make("short_decimal", createDecimalType(5, 2)),
                AlbisColumn.make("long_decimal", createDecimalType(38, 2)),
                AlbisColumn.make("date", DATE),
                AlbisColumn.make("char", createCharType(3)),
                AlbisColumn.make("binary", VARBINARY),
                AlbisColumn.make("uuid", UUID)));
        List<Object> values = List.of(
                true,
                1.5f,
                new BigDecimal("-123.45"),
                new BigDecimal("123456789012345678901234567890.12"),
                LocalDate.of(2018, 7, 11),
                "a  ",
                new byte[] {1, 2},
                java.util.UUID.fromString("12345678-9abc-def0-1234-56789abcdef0"));
        try (AlbisWriter writer = schema.getWriter(folder)) {
            for (int i = 0; i < values.size(); i++) {
                writer.setValue(i, values.get(i));
            }
            writer.nextRow();
            assertThatThrownBy(() -> writer.setValue(0, 1)).hasMessage("A value of type boolean must be a Boolean, but is a Integer");
            assertThatThrownBy(() -> writer.setValue(2, new BigDecimal("1234.5"))).hasMessage("1234.5 is out of the range of decimal(5,2)");
            assertThatThrownBy(() -> writer.setValue(2, new BigDecimal("1.234"))).hasMessage("1.234 has more than 2 digits after the decimal point, which does not fit type decimal(5,2)");
            assertThatThrownBy(() -> writer.setValue(5, "abcd")).hasMessage("A value of 4 characters is too long for char(3)");
        }
        try (AlbisReader reader = schema.getReader(folder, AlbisFilter.ALL, schema.columns().toArray(AlbisColumn[]::new))) {
            reader.next();
            for (int i = 0; i < values.size(); i++) {
                assertThat(reader.getValue(i)).isEqualTo(values.get(i));
            }
        }
    }

    @Test
    void testUnfinishedRowsAreNotSeen()
            throws IOException
    {
        writeRows();
        AlbisWriter unfinished = SCHEMA.getWriter(folder);
        unfinished.setValue(0, 100);
        unfinished.nextRow();
        assertThat(numbers(AlbisFilter.ALL)).hasSize(10);
        unfinished.close();
        assertThat(numbers(AlbisFilter.ALL)).hasSize(11);
    }

    @Test
    void testSchemas()
            throws IOException
    {
        writeRows();
        AlbisSchema other = AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisColumn.make("time", createTimestampType(9)), AlbisColumn.make("instant", createTimestampWithTimeZoneType(3))));
        assertThatThrownBy(() -> other.getWriter(folder)).hasMessageContaining("already has a different schema");
        try (AlbisWriter _ = other.getWriter(folder.resolve("other"))) {
            assertThat(AlbisSchema.read(folder.resolve("other"))).isEqualTo(other);
        }
        assertThatThrownBy(() -> AlbisSchema.makeSchema(AlbisColumnGroup.make(NUMBER), AlbisColumnGroup.make(NUMBER))).hasMessage("duplicate column name: number");
        assertThatThrownBy(() -> AlbisColumn.make("list", new ArrayType(HYPER_LOG_LOG))).hasMessage("Albis cannot store type array(HyperLogLog) of column list");
    }
}
