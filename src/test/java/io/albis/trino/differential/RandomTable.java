package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.albis.format.RandomBlocks;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.connector.ColumnMetadata;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A table with random columns and random values.
 *
 * @param parts the rows that the table is created with, followed by the rows of each later insert
 */
record RandomTable(List<QueryColumn> columns, int rowCount, List<PagesTable> parts)
{
    private static final int MAX_COLUMNS = 12;
    private static final int MAX_ROWS = 30_000;
    private static final int MANY_ROWS = 100_000;
    private static final int RUN_ROWS = 8192;
    private static final int SAMPLES = 60;

    RandomTable
    {
        columns = ImmutableList.copyOf(columns);
        parts = ImmutableList.copyOf(parts);
    }

    static RandomTable create(Random random)
    {
        List<Type> types = new ArrayList<>();
        for (int i = 1 + random.nextInt(MAX_COLUMNS); i > 0; i--) {
            // Columns of the same type can be compared with each other
            types.add(!types.isEmpty() && random.nextInt(5) == 0 ? types.getLast() : RandomBlocks.TYPES.get(random.nextInt(RandomBlocks.TYPES.size())));
        }
        int rowCount = switch (random.nextInt(30)) {
            case 0, 1 -> random.nextInt(3);
            case 2, 3, 4, 5 -> random.nextInt(500);
            case 6, 7, 8 -> RUN_ROWS * (1 + random.nextInt(3)) - 1 + random.nextInt(3);
            case 9, 10, 11, 12, 13, 14 -> random.nextInt(MAX_ROWS);
            // More rows than fit in one segment
            case 15 -> random.nextInt(MANY_ROWS);
            default -> random.nextInt(RUN_ROWS);
        };
        List<Object[]> values = types.stream()
                .map(type -> RandomValues.randomValues(random, type, rowCount))
                .toList();
        return of(random, types, values, rowCount);
    }

    /**
     * Creates a small table with the same columns and many of the same values, to join with this one.
     */
    RandomTable createSmall(Random random)
    {
        List<Type> types = columns.stream().map(QueryColumn::type).toList();
        int rows = random.nextInt(8) == 0 ? random.nextInt(3000) : random.nextInt(40);
        List<Object[]> values = new ArrayList<>();
        for (QueryColumn column : columns) {
            Object[] columnValues = new Object[rows];
            Arrays.setAll(columnValues, _ -> random.nextInt(10) == 0 ? null : column.randomValue(random));
            values.add(columnValues);
        }
        return of(random, types, values, rows);
    }

    private static RandomTable of(Random random, List<Type> types, List<Object[]> values, int rowCount)
    {
        ImmutableList.Builder<QueryColumn> columns = ImmutableList.builder();
        for (int channel = 0; channel < types.size(); channel++) {
            columns.add(new QueryColumn("c" + channel, types.get(channel), samples(random, values.get(channel))));
        }
        List<ColumnMetadata> metadata = columns.build().stream()
                .map(column -> new ColumnMetadata(column.name(), column.type()))
                .toList();

        List<PagesTable> parts = new ArrayList<>();
        int partCount = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
        int start = 0;
        for (int part = 1; part <= partCount; part++) {
            int end = part == partCount ? rowCount : start + random.nextInt(rowCount - start + 1);
            parts.add(new PagesTable(metadata, pages(random, types, values, start, end)));
            start = end;
        }
        return new RandomTable(columns.build(), rowCount, parts);
    }

    private static List<Object> samples(Random random, Object[] values)
    {
        List<Object> samples = new ArrayList<>();
        for (int i = 0; i < SAMPLES && values.length > 0; i++) {
            Object value = values[random.nextInt(values.length)];
            if (value != null) {
                samples.add(value);
            }
        }
        return Collections.unmodifiableList(samples);
    }

    private static List<Page> pages(Random random, List<Type> types, List<Object[]> values, int start, int end)
    {
        int maxPageRows = 1 << (5 + random.nextInt(11));
        List<Page> pages = new ArrayList<>();
        while (start < end) {
            int count = Math.min(end - start, Math.max(maxPageRows / 2, 1 + random.nextInt(maxPageRows)));
            Block[] blocks = new Block[types.size()];
            for (int channel = 0; channel < blocks.length; channel++) {
                blocks[channel] = block(random, types.get(channel), values.get(channel), start, count);
            }
            pages.add(new Page(count, blocks));
            start += count;
        }
        return pages;
    }

    /**
     * Creates a random kind of block that holds these values.
     */
    private static Block block(Random random, Type type, Object[] values, int offset, int count)
    {
        return switch (random.nextInt(4)) {
            case 0 -> dictionaryBlock(type, values, offset, count);
            case 1 -> {
                int skipped = Math.min(offset, 7);
                yield flatBlock(type, values, offset - skipped, skipped + count).getRegion(skipped, count);
            }
            default -> flatBlock(type, values, offset, count);
        };
    }

    private static Block flatBlock(Type type, Object[] values, int offset, int count)
    {
        BlockBuilder builder = type.createBlockBuilder(null, count);
        for (int i = offset; i < offset + count; i++) {
            TypeUtils.writeNativeValue(type, builder, values[i]);
        }
        return builder.build();
    }

    private static Block dictionaryBlock(Type type, Object[] values, int offset, int count)
    {
        Map<Object, Integer> idByValue = new HashMap<>();
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = idByValue.computeIfAbsent(values[offset + i], _ -> idByValue.size());
        }
        Object[] dictionary = new Object[idByValue.size()];
        idByValue.forEach((value, id) -> dictionary[id] = value);
        Block block = flatBlock(type, dictionary, 0, dictionary.length);
        return dictionary.length == 1 ? RunLengthEncodedBlock.create(block, count) : DictionaryBlock.create(count, block, ids);
    }
}
