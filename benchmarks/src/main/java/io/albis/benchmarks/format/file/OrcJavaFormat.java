package io.albis.benchmarks.format.file;

import io.albis.benchmarks.format.data.Column;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.TypeDescription.RowBatchVersion;
import org.apache.orc.Writer;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.IntegerType.INTEGER;
import static java.util.Objects.requireNonNull;

/**
 * The ORC format as Apache's orc-core writes it with its defaults, in batches of as many rows as a page. Short decimals
 * are longs in a batch, which is faster than its objects of decimals.
 */
record OrcJavaFormat(CompressionKind compression)
        implements FileFormat
{
    private static final String FILE = "file.orc";

    OrcJavaFormat
    {
        requireNonNull(compression, "compression is null");
    }

    @Override
    public void write(Path folder, List<Column> columns, Iterator<Page> pages)
            throws IOException
    {
        TypeDescription schema = schema(columns);
        VectorizedRowBatch batch = batch(schema);
        try (FileSystem fileSystem = fileSystem();
                Writer writer = OrcFile.createWriter(path(folder), OrcFile.writerOptions(fileSystem.getConf())
                        .fileSystem(fileSystem)
                        .setSchema(schema)
                        .compress(compression))) {
            while (pages.hasNext()) {
                Page page = pages.next();
                for (int offset = 0; offset < page.getPositionCount(); offset += batch.getMaxSize()) {
                    fill(batch, columns, page, offset);
                    writer.addRowBatch(batch);
                }
            }
        }
    }

    private static TypeDescription schema(List<Column> columns)
    {
        TypeDescription schema = TypeDescription.createStruct();
        columns.forEach(column -> schema.addField(column.name(), orcType(column.type())));
        return schema;
    }

    private static TypeDescription orcType(Type type)
    {
        if (type.equals(INTEGER)) {
            return TypeDescription.createInt();
        }
        if (type.equals(BIGINT)) {
            return TypeDescription.createLong();
        }
        checkArgument(type instanceof DecimalType decimal && decimal.isShort(), "not supported: %s", type);
        // The scale comes first, because the default one may be more than the precision
        return TypeDescription.createDecimal()
                .withScale(((DecimalType) type).getScale())
                .withPrecision(((DecimalType) type).getPrecision());
    }

    /**
     * Returns a batch in which all columns of numbers are arrays of longs.
     */
    static VectorizedRowBatch batch(TypeDescription schema)
    {
        return schema.createRowBatch(RowBatchVersion.USE_DECIMAL64, NumberColumn.PAGE_ROWS);
    }

    private static void fill(VectorizedRowBatch batch, List<Column> columns, Page page, int offset)
    {
        batch.reset();
        batch.size = Math.min(batch.getMaxSize(), page.getPositionCount() - offset);
        for (int channel = 0; channel < columns.size(); channel++) {
            fill((LongColumnVector) batch.cols[channel], columns.get(channel).type(), page.getBlock(channel), offset, batch.size);
        }
    }

    private static void fill(LongColumnVector vector, Type type, Block block, int offset, int rows)
    {
        for (int row = 0; row < rows; row++) {
            int position = offset + row;
            if (block.isNull(position)) {
                vector.noNulls = false;
                vector.isNull[row] = true;
            }
            else {
                vector.vector[row] = type.getLong(block, position);
            }
        }
    }

    @Override
    public StoredTable open(Path folder, List<Column> columns)
    {
        return scan -> {
            checkArgument(scan.equals(Scan.all(columns.size())), "only whole tables can be read");
            return new OrcJavaPages(fileSystem(), path(folder), columns);
        };
    }

    private static org.apache.hadoop.fs.Path path(Path folder)
    {
        return new org.apache.hadoop.fs.Path(folder.resolve(FILE).toAbsolutePath().toUri());
    }

    /**
     * Returns the local file system of Hadoop without its files of checksums, which the other formats do not have.
     */
    private static FileSystem fileSystem()
            throws IOException
    {
        FileSystem fileSystem = new RawLocalFileSystem();
        fileSystem.initialize(URI.create("file:///"), new Configuration(false));
        return fileSystem;
    }
}
