package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Random;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.albis.format.RandomBlocks.TYPES;
import static io.albis.format.RandomTables.randomEncoding;
import static io.albis.format.RandomTables.shapedBlock;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * Writes random values of each type, of which the test then reads some rows.
 */
abstract class BaseSelectionTest
{
    protected static final Location FOLDER = Location.of("memory:///table");
    // three runs, the last of which is short
    protected static final int ROWS = 2 * Run.MAX_ROWS + 1500;

    private final int rounds;

    protected BaseSelectionTest(int rounds)
    {
        this.rounds = rounds;
    }

    static List<Type> types()
    {
        return ImmutableList.<Type>builder()
                .addAll(TYPES)
                .add(new ArrayType(VARCHAR))
                .build();
    }

    @ParameterizedTest
    @MethodSource("types")
    final void testType(Type type)
            throws IOException
    {
        Random seeds = new Random();
        for (int round = 0; round < rounds; round++) {
            long seed = seeds.nextLong();
            test("%s, seed %s".formatted(type, seed), new Random(seed), type);
        }
    }

    protected abstract void test(String description, Random random, Type type)
            throws IOException;

    protected static Block randomBlock(Random random, Type type, double nulls)
    {
        return type instanceof ArrayType ? RandomNestedBlocks.randomBlock(random, type, ROWS, nulls, 3) : shapedBlock(random, type, ROWS, nulls);
    }

    protected static AlbisLayout randomLayout(Random random, Type type)
    {
        return type instanceof ArrayType ? AlbisLayout.BLOCK : RandomTables.randomLayout(random);
    }

    protected static RowGroup write(TrinoFileSystem fileSystem, Random random, AlbisSchema schema, Compression compression, Block... blocks)
            throws IOException
    {
        WriterOptions options = new WriterOptions(
                1L << 40,
                Long.MAX_VALUE,
                WriterOptions.MAX_SEGMENT_BYTES,
                randomEncoding(random),
                true,
                compression,
                ImmutableList.of(),
                ImmutableSet.of());
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        writer.append(new Page(blocks));
        return getOnlyElement(writer.finish());
    }
}
