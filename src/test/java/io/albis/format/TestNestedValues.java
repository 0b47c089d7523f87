package io.albis.format;

import io.airlift.slice.Slices;
import io.albis.format.run.RowTooLargeException;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.JavaValues;
import io.albis.format.type.LocalTypeResolver;
import io.albis.format.type.NestedTypes;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.ArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static io.albis.format.AlbisFilter.equal;
import static io.albis.format.AlbisFilter.isNull;
import static io.albis.format.AlbisFilter.not;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.HyperLogLogType.HYPER_LOG_LOG;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests rows, arrays, and maps in the interface of Table 4 of the Albis paper.
 */
final class TestNestedValues
{
    private static final AlbisColumn ARRAY = AlbisColumn.make(1, "array", new ArrayType(INTEGER));
    private static final AlbisColumn MAP = AlbisColumn.make(2, "map", new MapType(VARCHAR, new ArrayType(BIGINT), new TypeOperators()));
    private static final AlbisColumn ROW = AlbisColumn.make(3, "row", RowType.rowType(RowType.field("a", INTEGER), RowType.field("b\"c, ", VARCHAR)));

    @TempDir
    Path folder;

    static List<AlbisSchema> schemas()
    {
        return List.of(
                AlbisSchema.makeSchema(AlbisColumnGroup.make(ARRAY, MAP), AlbisColumnGroup.make(ROW)),
                AlbisSchema.makeSchema(AlbisColumnGroup.make(AlbisLayout.ROW, ARRAY, MAP), AlbisColumnGroup.make(AlbisLayout.ROW, ROW)));
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void testRows(AlbisSchema schema)
            throws IOException
    {
        List<List<Object>> rows = List.of(
                Arrays.asList(Arrays.asList(1L, null, 3L), Map.of("x", List.of(1L), "y", List.of()), Arrays.asList(5L, "b")),
                Arrays.asList(null, null, null),
                Arrays.asList(List.of(), Map.of(), Arrays.asList(null, null)),
                Arrays.asList(Collections.nCopies(100_000, 7L), map("z", null), Arrays.asList(null, "")));
        try (AlbisWriter writer = schema.getWriter(folder)) {
            for (List<Object> row : rows) {
                for (int column = 0; column < row.size(); column++) {
                    writer.setValue(column, row.get(column));
                }
                writer.nextRow();
            }
            assertThatThrownBy(() -> writer.setValue(0, "text")).hasMessage("A value of type array(integer) must be a List, but is a String");
            assertThatThrownBy(() -> writer.setValue(0, List.of("text"))).hasMessage("A value of type integer must be an integer, but is a String");
            assertThatThrownBy(() -> writer.setValue(2, List.of(1))).hasMessageEndingWith("must have 2 fields, but has 1");
            assertThatThrownBy(() -> writer.setValue(1, map(null, List.of()))).hasMessageEndingWith("has a key that is null");
        }
        assertThat(AlbisSchema.read(folder)).isEqualTo(schema);
        assertThat(read(schema, AlbisFilter.ALL)).isEqualTo(rows);
        assertThat(read(schema, isNull(ROW))).isEqualTo(rows.subList(1, 2));
        assertThat(read(schema, not(isNull(ARRAY)))).isEqualTo(List.of(rows.get(0), rows.get(2), rows.get(3)));
        try (AlbisReader reader = schema.getReader(folder, AlbisFilter.ALL, ROW)) {
            reader.next();
            assertThatThrownBy(reader::getBinaryRow).hasMessage("column row has type row(\"a\" integer, \"b\"\"c, \" varchar), which rows do not contain");
        }
    }

    static List<Arguments> equalKeys()
    {
        return List.of(
                Arguments.of(createDecimalType(4, 2), new BigDecimal("1.0"), new BigDecimal("1.00")),
                Arguments.of(BIGINT, 1, 1L),
                Arguments.of(createCharType(3), "a", "a "),
                Arguments.of(DOUBLE, 0.0, -0.0),
                Arguments.of(RowType.anonymousRow(INTEGER), List.of(1), List.of(1L)),
                Arguments.of(new ArrayType(INTEGER), Arrays.asList(1, null), Arrays.asList(1L, null)));
    }

    /**
     * Keys that differ in Java can be the same value of the type of the keys.
     */
    @ParameterizedTest
    @MethodSource("equalKeys")
    void testEqualKeys(Type keyType, Object key, Object equalKey)
    {
        Type type = new MapType(keyType, INTEGER, new TypeOperators());
        Map<Object, Object> value = Map.of(key, 1, equalKey, 2);
        Type array = new ArrayType(type);
        Type row = RowType.anonymousRow(VARCHAR, array);
        assertEqualKeys(type, value);
        assertEqualKeys(array, Arrays.asList(null, value));
        assertEqualKeys(row, List.of("x", List.of(value)));
        // the same key in two maps
        Map<Object, Object> first = Map.of(key, 1);
        JavaValues.toNative(array, List.of(first, first, Map.of()));
    }

    private static void assertEqualKeys(Type type, Object value)
    {
        assertThatThrownBy(() -> JavaValues.toNative(type, value)).as("%s of %s", value, type)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A value of type %s has two equal keys", type.getDisplayName());
    }

    // Map.of does not accept null
    private static Map<Object, Object> map(Object key, Object value)
    {
        Map<Object, Object> map = new HashMap<>();
        map.put(key, value);
        return map;
    }

    private List<List<Object>> read(AlbisSchema schema, AlbisFilter filter)
            throws IOException
    {
        List<List<Object>> rows = new ArrayList<>();
        try (AlbisReader reader = schema.getReader(folder, filter, ARRAY, MAP, ROW)) {
            while (reader.hasMore()) {
                reader.next();
                rows.add(Arrays.asList(reader.getValue(0), reader.getValue(1), reader.getValue(2)));
            }
        }
        return rows;
    }

    @Test
    void testRefusedTypes()
    {
        assertThatThrownBy(() -> equal(ARRAY, List.of(1))).hasMessage("column array has type array(integer), which supports only null checks");
        assertThatThrownBy(() -> AlbisColumn.make("c", new ArrayType(HYPER_LOG_LOG))).hasMessage("Albis cannot store type array(HyperLogLog) of column c");
        Type deep = INTEGER;
        for (int level = 1; level < NestedTypes.MAX_DEPTH; level++) {
            deep = new ArrayType(deep);
        }
        AlbisColumn.make("c", deep);
        Type tooDeep = new ArrayType(deep);
        assertThatThrownBy(() -> AlbisColumn.make("c", tooDeep)).hasMessageEndingWith("of column c: it has more than 32 levels");
        Type wide = RowType.anonymous(Collections.nCopies(NestedTypes.MAX_NODES, INTEGER));
        assertThatThrownBy(() -> AlbisColumn.make("c", wide)).hasMessageEndingWith("it consists of 1001 types, but at most 1000 are possible");
    }

    /**
     * A small page represents a row that is too large.
     */
    @Test
    void testRowTooLarge()
            throws IOException
    {
        AlbisColumn column = AlbisColumn.make(1, "c", new ArrayType(VARCHAR));
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(column));
        int elements = 2_000;
        ArrayBlock array = ArrayBlock.fromElementBlock(1, Optional.empty(), new int[] {0, elements}, RunLengthEncodedBlock.create(VARCHAR, Slices.allocate(1 << 20), elements));
        AlbisWriter writer = schema.getWriter(new MemoryFileSystemFactory().create(ofUser("test")), Location.of("memory:///rows"), WriterOptions.DEFAULTS);
        assertThatThrownBy(() -> writer.append(new Page(array))).isInstanceOf(RowTooLargeException.class);
        writer.close();
    }

    @Test
    void testTypeNames()
    {
        LocalTypeResolver types = new LocalTypeResolver();
        Random seeds = new Random();
        for (int round = 0; round < 200; round++) {
            long seed = seeds.nextLong();
            Type type = RandomNestedBlocks.randomType(new Random(seed), 4);
            String name = type.getTypeId().getId();
            if (!name.contains("json") && !name.contains("ipaddress")) {
                assertThat(types.resolve(name)).as("seed %s", seed).isEqualTo(type);
            }
        }
        Type anonymous = RowType.anonymous(List.of(INTEGER, RowType.anonymous(List.of(VARCHAR))));
        assertThat(types.resolve(anonymous.getTypeId().getId())).isEqualTo(anonymous);
    }

    @ParameterizedTest
    @ValueSource(strings = {"array()", "array(integer", "array(integer,integer)", "map(integer)", "row()", "row(\"a integer)", "row(\"a\"integer)", "array(integer))", "array(array)", "array(integer)x"})
    void testInvalidTypeNames(String name)
    {
        assertThatThrownBy(() -> new LocalTypeResolver().resolve(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testDeepTypeName()
    {
        assertThatThrownBy(() -> new LocalTypeResolver().resolve("array(".repeat(10_000))).isInstanceOf(IllegalArgumentException.class);
    }
}
