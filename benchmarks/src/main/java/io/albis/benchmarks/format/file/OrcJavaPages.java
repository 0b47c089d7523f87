package io.albis.benchmarks.format.file;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Closer;
import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import jakarta.annotation.Nullable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.OrcFile;
import org.apache.orc.Reader;
import org.apache.orc.RecordReader;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.type.IntegerType.INTEGER;

/**
 * Reads an ORC file with the vectorized reader of Apache's orc-core and returns one page per batch. The batch is
 * reused, so the values are copied from its arrays.
 */
class OrcJavaPages
        implements Pages
{
    private final Closer closer = Closer.create();
    private final List<Column> columns;
    private final RecordReader rows;
    private final VectorizedRowBatch batch;

    public OrcJavaPages(FileSystem fileSystem, Path path, List<Column> columns)
            throws IOException
    {
        this.columns = ImmutableList.copyOf(columns);
        closer.register(fileSystem);
        Reader reader = closer.register(OrcFile.createReader(path, OrcFile.readerOptions(fileSystem.getConf()).filesystem(fileSystem)));
        this.rows = closer.register(reader.rows());
        this.batch = OrcJavaFormat.batch(reader.getSchema());
    }

    @Nullable
    @Override
    public Page next()
            throws IOException
    {
        if (!rows.nextBatch(batch)) {
            return null;
        }
        Block[] blocks = new Block[batch.cols.length];
        for (int channel = 0; channel < blocks.length; channel++) {
            blocks[channel] = copy((LongColumnVector) batch.cols[channel], columns.get(channel).type().equals(INTEGER), batch.size);
        }
        return new Page(batch.size, blocks);
    }

    private static Block copy(LongColumnVector vector, boolean narrow, int rows)
    {
        expand(vector, rows);
        Optional<long[]> valid = vector.noNulls ? Optional.empty() : Optional.of(validity(vector.isNull, rows));
        if (!narrow) {
            return new LongArrayBlock(rows, valid, Arrays.copyOf(vector.vector, rows));
        }
        int[] values = new int[rows];
        for (int row = 0; row < rows; row++) {
            values[row] = (int) vector.vector[row];
        }
        return new IntArrayBlock(rows, valid, values);
    }

    /**
     * A batch of equal values has only the first one.
     */
    private static void expand(LongColumnVector vector, int rows)
    {
        if (vector.isRepeating) {
            Arrays.fill(vector.vector, 0, rows, vector.vector[0]);
            Arrays.fill(vector.isNull, 0, rows, vector.isNull[0]);
            vector.isRepeating = false;
        }
    }

    private static long[] validity(boolean[] nulls, int rows)
    {
        long[] valid = new long[(rows + Long.SIZE - 1) / Long.SIZE];
        for (int row = 0; row < rows; row++) {
            if (!nulls[row]) {
                valid[row / Long.SIZE] |= 1L << row;
            }
        }
        return valid;
    }

    @Override
    public void close()
            throws IOException
    {
        closer.close();
    }
}
