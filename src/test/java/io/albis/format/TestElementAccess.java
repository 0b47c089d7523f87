package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.slice.Slices;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.schema.ElementAccess;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.OrderKeys;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.MapBlockBuilder;
import io.trino.spi.block.SqlMap;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.RowType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomNestedBlocks.flatBlock;
import static io.albis.format.RandomNestedBlocks.randomBlock;
import static io.albis.format.RandomNestedBlocks.randomType;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers of elements and single elements are those of the arrays and maps that were written, for all shapes,
 * encodings, and selections of rows.
 */
final class TestElementAccess
{
    private static final Location FOLDER = Location.of("memory:///table");
    private static final AlbisColumn ID = AlbisColumn.make(1, "id", BIGINT);
    private static final TypeOperators OPERATORS = new TypeOperators();

    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    /**
     * An element of a written array or map.
     */
    private record Element(Block block, int position) {}

    @Test
    void testRandomTables()
            throws IOException
    {
        testRandomTables(100);
    }

    @Test
    @Tag("slow")
    void testManyRandomTables()
            throws IOException
    {
        testRandomTables(4000);
    }

    private void testRandomTables(int rounds)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            testRandomTable(seeds.nextLong());
        }
    }

    private void testRandomTable(long seed)
            throws IOException
    {
        Random random = new Random(seed);
        Type type = randomType(random, 1 + random.nextInt(3));
        while (type instanceof RowType) {
            type = randomType(random, 1 + random.nextInt(3));
        }
        AlbisColumn column = AlbisColumn.make(2, "nested", type);
        WriterOptions options = WriterOptions.DEFAULTS
                .withRowGroupBytes(1L << 40)
                .withSegmentBytes(1 << (10 + random.nextInt(13)))
                .withNarrowWidths(random.nextBoolean())
                .withDictionaries(random.nextBoolean());
        double nulls = random.nextInt(3) * 0.3;
        int elements = random.nextInt(6);
        int rows = 1 + random.nextInt(random.nextInt(8) == 0 ? 20_000 : 500);
        Block written = randomBlock(random, type, rows, nulls, elements);
        RandomDeletes deletes = RandomDeletes.delete(fileSystem, FOLDER, random, ImmutableList.of(write(random.nextBoolean() ? AlbisLayout.BLOCK : AlbisLayout.ROW, column, written, options)));
        List<ElementAccess> accesses = new ArrayList<>();
        for (int access = 1 + random.nextInt(3); access > 0; access--) {
            accesses.add(randomAccess(random, type, elements));
        }
        ReaderOptions readerOptions = new ReaderOptions(random.nextBoolean(), true, true, random.nextBoolean(), random.nextBoolean(), RandomThresholds.next(random));
        String description = "seed " + seed;
        check(description, getOnlyElement(deletes.rowGroups()), column, written, accesses, TupleDomain.all(), readerOptions, deletes.live());
        Domain ids = Domain.multipleValues(BIGINT, random.longs(1 + random.nextInt(1 + rows / 3), 0, rows).boxed().toList());
        List<Integer> selected = deletes.live().stream()
                .filter(id -> ids.includesNullableValue((long) id))
                .toList();
        check(description, getOnlyElement(deletes.rowGroups()), column, written, accesses, TupleDomain.withColumnDomains(ImmutableMap.of(ID, ids)), readerOptions, selected);

        // a filter on elements that may be read as well
        ElementAccess filtered = random.nextBoolean() ? accesses.getFirst() : randomAccess(random, type, elements);
        Domain domain = randomDomain(random, type, filtered, written);
        AlbisColumn filterColumn = column.elements(filtered);
        check("%s: %s in %s".formatted(description, filterColumn.name(), domain),
                getOnlyElement(deletes.rowGroups()),
                column,
                written,
                accesses,
                TupleDomain.withColumnDomains(ImmutableMap.of(filterColumn, domain)),
                readerOptions,
                deletes.live().stream()
                        .filter(id -> matches(column.type(), filtered, written, id, domain))
                        .toList());
        check("%s: %s in %s, and id".formatted(description, filterColumn.name(), domain),
                getOnlyElement(deletes.rowGroups()),
                column,
                written,
                accesses,
                TupleDomain.withColumnDomains(ImmutableMap.of(filterColumn, domain, ID, ids)),
                readerOptions,
                selected.stream()
                        .filter(id -> matches(column.type(), filtered, written, id, domain))
                        .toList());
    }

    private static Domain randomDomain(Random random, Type type, ElementAccess access, Block written)
    {
        Type resultType = access.resultType(type);
        boolean nullAllowed = random.nextBoolean();
        List<Object> values = new ArrayList<>();
        for (int value = random.nextInt(4); value > 0 && !NestedTypes.isNested(resultType) && OrderKeys.of(resultType).hasOrder(); value--) {
            value(type, access, written, random.nextInt(written.getPositionCount()))
                    .filter(found -> !isFloatingPointNaN(resultType, found))
                    .ifPresent(values::add);
        }
        if (values.isEmpty()) {
            return Domain.create(nullAllowed ? ValueSet.none(resultType) : ValueSet.all(resultType), nullAllowed);
        }
        ValueSet set = switch (random.nextInt(3)) {
            case 0 -> ValueSet.copyOf(resultType, values);
            case 1 -> ValueSet.ofRanges(Range.greaterThan(resultType, values.getFirst()));
            default -> ValueSet.ofRanges(Range.lessThanOrEqual(resultType, values.getFirst()));
        };
        return Domain.create(set, nullAllowed);
    }

    private static boolean matches(Type type, ElementAccess access, Block written, int row, Domain domain)
    {
        Optional<Object> value = value(type, access, written, row);
        if (value.isEmpty()) {
            return domain.isNullAllowed();
        }
        // NaN is in a domain only if all values are, and a domain of nested values has all or none
        return domain.getValues().isAll() || (!domain.getValues().isNone() && !isFloatingPointNaN(domain.getType(), value.get()) && domain.includesNullableValue(value.get()));
    }

    /**
     * Returns the value that a scan returns; empty for null.
     */
    private static Optional<Object> value(Type type, ElementAccess access, Block written, int row)
    {
        if (written.isNull(row)) {
            return Optional.empty();
        }
        return switch (access.form()) {
            case CARDINALITY -> Optional.of((long) length(type, written, row));
            case ARRAY_PREFIX, MAP_ENTRY -> Optional.of(readNativeValue(type, written, row));
            case ARRAY_ELEMENT, MAP_VALUE -> element(type, access, written, row).map(found -> readNativeValue(access.resultType(type), found.block(), found.position()));
        };
    }

    private static ElementAccess randomAccess(Random random, Type type, int elements)
    {
        int index = 1 + random.nextInt(elements + 1);
        if (!(type instanceof MapType map)) {
            return switch (random.nextInt(4)) {
                case 0 -> ElementAccess.cardinality();
                case 1 -> ElementAccess.arrayElement(index);
                case 2 -> ElementAccess.arrayElement(-index);
                default -> ElementAccess.arrayPrefix(index);
            };
        }
        if (!RandomNestedBlocks.hasNumberedKeys(map)) {
            return ElementAccess.cardinality();
        }
        long number = random.nextInt(110);
        Object key = map.getKeyType() == BIGINT ? (Object) number : Slices.utf8Slice("key " + number);
        return switch (random.nextInt(3)) {
            case 0 -> ElementAccess.cardinality();
            case 1 -> ElementAccess.mapValue(map.getKeyType(), key);
            default -> ElementAccess.mapEntry(map.getKeyType(), key);
        };
    }

    private RowGroup write(AlbisLayout layout, AlbisColumn column, Block block, WriterOptions options)
            throws IOException
    {
        List<AlbisColumn> columns = ImmutableList.of(ID, column);
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, AlbisSchema.makeSchema(columns, ImmutableList.of(AlbisColumnGroup.make(layout, columns))).rowGroupSchema(), options);
        int rows = block.getPositionCount();
        writer.append(new Page(new LongArrayBlock(rows, Optional.empty(), LongStream.range(0, rows).toArray()), block));
        return getOnlyElement(writer.finish());
    }

    private void check(String description, RowGroup rowGroup, AlbisColumn column, Block written, List<ElementAccess> accesses, TupleDomain<AlbisColumn> predicate, ReaderOptions options, List<Integer> expectedIds)
            throws IOException
    {
        List<Integer> ids = new ArrayList<>();
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan(column, accesses, predicate), options)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                int first = ids.size();
                for (int position = 0; position < batch.positionCount(); position++) {
                    ids.add((int) BIGINT.getLong(batch.block(0), position));
                }
                for (int access = 0; access < accesses.size(); access++) {
                    Block block = batch.block(access + 1);
                    assertThat(block.getPositionCount()).as(description).isEqualTo(batch.positionCount());
                    for (int position = 0; position < block.getPositionCount(); position++) {
                        int id = ids.get(first + position);
                        assertThat(isEqual(column.type(), accesses.get(access), block, position, written, id))
                                .as("%s: %s of row %s of type %s", description, accesses.get(access), id, column.type().getDisplayName())
                                .isTrue();
                    }
                }
            }
        }
        assertThat(ids).as(description).isEqualTo(expectedIds);
    }

    private static RowGroupScan scan(AlbisColumn column, List<ElementAccess> accesses, TupleDomain<AlbisColumn> predicate)
    {
        ImmutableList.Builder<AlbisColumn> columns = ImmutableList.<AlbisColumn>builder().add(ID);
        for (ElementAccess access : accesses) {
            columns.add(column.elements(access));
        }
        return RowGroupScan.of(columns.build(), predicate);
    }

    private static boolean isEqual(Type type, ElementAccess access, Block read, int position, Block written, int row)
    {
        if (written.isNull(row)) {
            return read.isNull(position);
        }
        int length = length(type, written, row);
        Optional<Element> element = element(type, access, written, row);
        return switch (access.form()) {
            case CARDINALITY -> !read.isNull(position) && BIGINT.getLong(read, position) == length;
            case ARRAY_ELEMENT, MAP_VALUE -> element.isPresent() ? isEqual(access.resultType(type), read, position, element.get()) : read.isNull(position);
            case ARRAY_PREFIX -> !read.isNull(position) && isPrefix((ArrayType) type, access.index(), length, ((ArrayType) type).getObject(read, position), element);
            case MAP_ENTRY -> {
                SqlMap map = ((MapType) type).getObject(read, position);
                yield element.isPresent()
                        ? map.getSize() == 1 && isEqual(((MapType) type).getValueType(), map.getRawValueBlock(), map.getRawOffset(), element.get())
                        : map.getSize() == 0;
            }
        };
    }

    private static boolean isPrefix(ArrayType type, int index, int length, Block read, Optional<Element> last)
    {
        if (read.getPositionCount() != Math.min(index, length)) {
            return false;
        }
        for (int position = 0; position < read.getPositionCount(); position++) {
            boolean equal = position == index - 1 ? isEqual(type.getElementType(), read, position, last.orElseThrow()) : read.isNull(position);
            if (!equal) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEqual(Type type, Block read, int position, Element element)
    {
        return new BlockEquality(_ -> true).isEqual(type, read, position, element.block(), element.position());
    }

    private static int length(Type type, Block written, int row)
    {
        return type instanceof MapType map ? map.getObject(written, row).getSize() : ((ArrayType) type).getObject(written, row).getPositionCount();
    }

    private static Optional<Element> element(Type type, ElementAccess access, Block written, int row)
    {
        if (access.form() == ElementAccess.Form.CARDINALITY) {
            return Optional.empty();
        }
        if (type instanceof MapType mapType) {
            SqlMap map = mapType.getObject(written, row);
            Object key = access.key().orElseThrow().toNativeValue(mapType.getKeyType());
            for (int entry = map.getRawOffset(); entry < map.getRawOffset() + map.getSize(); entry++) {
                if (readNativeValue(mapType.getKeyType(), map.getRawKeyBlock(), entry).equals(key)) {
                    return Optional.of(new Element(map.getRawValueBlock(), entry));
                }
            }
            return Optional.empty();
        }
        Block array = ((ArrayType) type).getObject(written, row);
        int position = access.index() > 0 ? access.index() - 1 : array.getPositionCount() + access.index();
        return position >= 0 && position < array.getPositionCount() ? Optional.of(new Element(array, position)) : Optional.empty();
    }

    /**
     * As in the engine, -0.0 equals 0.0, and NaN equals no key.
     */
    @ParameterizedTest
    @EnumSource
    void testFloatingPointKeys(AlbisLayout layout)
            throws IOException
    {
        MapType type = new MapType(DOUBLE, VARCHAR, OPERATORS);
        AlbisColumn column = AlbisColumn.make(2, "nested", type);
        MapBlockBuilder builder = type.createBlockBuilder(null, 3);
        for (double key : new double[] {Double.NaN, -0.0, 0.0}) {
            builder.buildEntry((keys, values) -> {
                DOUBLE.writeDouble(keys, key);
                VARCHAR.writeString(values, "value of " + key);
            });
        }
        RowGroup rowGroup = write(layout, column, builder.build(), WriterOptions.DEFAULTS);
        for (double key : new double[] {-0.0, 0.0}) {
            RowGroupScan scan = scan(column, ImmutableList.of(ElementAccess.mapValue(DOUBLE, key)), TupleDomain.all());
            try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
                Block values = reader.next().block(1);
                assertThat(values.isNull(0)).isTrue();
                assertThat(VARCHAR.getSlice(values, 1).toStringUtf8()).isEqualTo("value of -0.0");
                assertThat(VARCHAR.getSlice(values, 2).toStringUtf8()).isEqualTo("value of 0.0");
                assertThat(reader.next()).isNull();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void testReadBytes(AlbisLayout layout)
            throws IOException
    {
        Type type = new MapType(VARCHAR, new ArrayType(BIGINT), OPERATORS);
        AlbisColumn column = AlbisColumn.make(2, "nested", type);
        RowGroup rowGroup = write(layout, column, flatBlock(new Random(7), type, 20_000, 0, 10), WriterOptions.DEFAULTS);
        long id = bytes(rowGroup, RowGroupScan.of(ImmutableList.of(ID), TupleDomain.all()));
        long all = bytes(rowGroup, RowGroupScan.of(ImmutableList.of(ID, column), TupleDomain.all())) - id;
        long lengths = bytes(rowGroup, scan(column, ImmutableList.of(ElementAccess.cardinality()), TupleDomain.all())) - id;
        long keys = bytes(rowGroup, scan(column, ImmutableList.of(ElementAccess.mapValue(VARCHAR, Slices.utf8Slice("missing"))), TupleDomain.all())) - id;
        assertThat(lengths).isBetween(1L, all / 20);
        assertThat(keys).isBetween(lengths + 1, all / 3);
        // filters read the same, and nothing else where no row matches
        assertThat(filterBytes(rowGroup, column.elements(ElementAccess.cardinality()), Domain.singleValue(BIGINT, -1L))).isBetween(1L, lengths);
        Type values = new ArrayType(BIGINT);
        assertThat(filterBytes(rowGroup, column.elements(ElementAccess.mapValue(VARCHAR, Slices.utf8Slice("missing"))), Domain.notNull(values))).isBetween(lengths + 1, keys);
    }

    /**
     * Returns the number of bytes of data that a scan reads whose filter no row matches.
     */
    private long filterBytes(RowGroup rowGroup, AlbisColumn column, Domain domain)
            throws IOException
    {
        RowGroupScan scan = RowGroupScan.of(ImmutableList.of(ID, column.withoutAccess()), TupleDomain.withColumnDomains(ImmutableMap.of(column, domain)));
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            assertThat(reader.next()).isNull();
            return reader.metrics().bytesRead() - getOnlyElement(rowGroup.columnGroups()).metadataBytes();
        }
    }

    private long bytes(RowGroup rowGroup, RowGroupScan scan)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < scan.columns().size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
            }
            return reader.metrics().bytesRead();
        }
    }
}
