package io.albis.format;

import com.google.common.collect.ImmutableList;
import io.albis.format.layout.block.BlockEncoding;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.type.StorageType;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomBlocks.randomBlock;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.RealType.REAL;

/**
 * Random schemas, and blocks with values that are typical of tables.
 */
final class RandomTables
{
    private RandomTables() {}

    static AlbisLayout randomLayout(Random random)
    {
        return random.nextInt(3) == 0 ? AlbisLayout.ROW : AlbisLayout.BLOCK;
    }

    static BlockEncoding randomEncoding(Random random)
    {
        return new BlockEncoding(random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) > 0, random.nextInt(4) > 0);
    }

    static AlbisSchema randomSchema(Random random)
    {
        int columnCount = 1 + random.nextInt(12);
        List<AlbisColumn> columns = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < columnCount; i++) {
            int id = 1 + random.nextInt(1000);
            while (!ids.add(id)) {
                id++;
            }
            columns.add(AlbisColumn.make(id, "column_" + i, TYPES.get(random.nextInt(TYPES.size()))));
        }
        List<AlbisColumn> rest = new ArrayList<>(columns);
        Collections.shuffle(rest, random);
        ImmutableList.Builder<AlbisColumnGroup> groups = ImmutableList.builder();
        while (!rest.isEmpty()) {
            int size = 1 + random.nextInt(rest.size());
            groups.add(AlbisColumnGroup.make(randomLayout(random), rest.subList(0, size)));
            rest = rest.subList(size, rest.size());
        }
        return AlbisSchema.makeSchema(columns, groups.build());
    }

    /**
     * Typical values of tables: arbitrary values, few distinct values, a constant, sequences of the same value,
     * integers that are close to each other, or numbers that ascend with a few exceptions.
     */
    static Block shapedBlock(Random random, Type type, int positionCount, double nulls)
    {
        Block block = randomBlock(random, type, positionCount, nulls);
        switch (random.nextInt(6)) {
            case 0 -> {
                int different = 1 + random.nextInt(random.nextBoolean() ? 3 : 1000);
                int[] positions = new int[positionCount];
                for (int i = 0; i < positionCount; i++) {
                    positions[i] = random.nextInt(Math.min(different, positionCount));
                }
                return block.getPositions(positions, 0, positionCount);
            }
            case 1 -> {
                if (type.getJavaType() != long.class || (type.equals(REAL) && random.nextBoolean()) || type.equals(BOOLEAN)) {
                    return block;
                }
                // at the limits of the widths of offsets from a base
                int bits = Math.min(8 * StorageType.of(type).slotSize() - 2, 1 + random.nextInt(40));
                long base = type.equals(BIGINT) ? random.nextLong() : 0;
                BlockBuilder builder = type.createBlockBuilder(null, positionCount);
                for (int position = 0; position < positionCount; position++) {
                    if (random.nextDouble() < nulls) {
                        builder.appendNull();
                    }
                    else {
                        type.writeLong(builder, base + (random.nextInt(3) == 0 ? (1L << bits) - random.nextInt(2) : random.nextLong(1L << bits)));
                    }
                }
                return builder.build();
            }
            case 2 -> {
                int different = 1 + random.nextInt(30);
                int[] positions = new int[positionCount];
                for (int i = 0; i < positionCount; i++) {
                    positions[i] = (int) ((long) i * Math.min(different, positionCount) / positionCount);
                }
                return block.getPositions(positions, 0, positionCount);
            }
            case 3 -> {
                return type.equals(BIGINT) ? ascendingBlock(random, positionCount, nulls) : block;
            }
            default -> {
                return block;
            }
        }
    }

    private static Block ascendingBlock(Random random, int positionCount, double nulls)
    {
        int exceptions = 1 << random.nextInt(12);
        int step = 1 + random.nextInt(1000);
        long base = random.nextLong();
        BlockBuilder builder = BIGINT.createBlockBuilder(null, positionCount);
        for (int position = 0; position < positionCount; position++) {
            if (random.nextDouble() < nulls) {
                builder.appendNull();
            }
            else {
                BIGINT.writeLong(builder, random.nextInt(exceptions) == 0 ? random.nextLong() : base + (long) position * step + random.nextInt(step));
            }
        }
        return builder.build();
    }
}
