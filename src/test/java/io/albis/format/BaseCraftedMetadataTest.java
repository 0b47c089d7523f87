package io.albis.format;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.sun.management.ThreadMXBean;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.filesystem.FileBytes;
import io.albis.format.io.AlbisDataException;
import io.albis.format.metadata.RowGroup;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.albis.format.schema.AlbisLayout;
import io.albis.format.write.RollingRowGroupWriter;
import io.albis.format.write.WriterOptions;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.TypeUtils;
import org.assertj.core.api.AbstractThrowableAssert;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.LongFunction;
import java.util.zip.CRC32C;

import static io.albis.format.io.AlbisDataException.Reason.DAMAGED;
import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Writes row groups, reads them, and measures how much memory that takes.
 */
abstract class BaseCraftedMetadataTest
{
    static final Location FOLDER = Location.of("memory:///table");
    static final int ROWS = 300;
    static final AlbisColumn NUMBER = AlbisColumn.make(1, "number", BIGINT);
    static final AlbisColumn PRICE = AlbisColumn.make(2, "price", createDecimalType(9, 2));
    private static final AlbisColumn TEXT = AlbisColumn.make(3, "text", VARCHAR);
    static final AlbisColumn RATIO = AlbisColumn.make(4, "ratio", DOUBLE);
    static final List<AlbisColumn> COLUMNS = ImmutableList.of(NUMBER, PRICE, TEXT, RATIO);
    static final TupleDomain<AlbisColumn> PREDICATE = TupleDomain.withColumnDomains(ImmutableMap.of(
            NUMBER, Domain.create(ValueSet.ofRanges(Range.greaterThan(BIGINT, 0L)), false),
            PRICE, Domain.create(ValueSet.ofRanges(Range.lessThan(PRICE.type(), 250L)), true),
            TEXT, Domain.create(ValueSet.ofRanges(Range.greaterThan(VARCHAR, Slices.utf8Slice("b"))), false)));
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MAX_ALLOCATED = 64L << 20;

    final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    interface Action
    {
        void run()
                throws IOException;
    }

    static void assertLittleMemory(String description, Action action)
            throws IOException
    {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        action.run();
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).as(description).isLessThan(MAX_ALLOCATED);
    }

    RowGroup write(AlbisLayout layout, WriterOptions options)
            throws IOException
    {
        return write(AlbisSchema.makeSchema(AlbisColumnGroup.make(layout, COLUMNS)), options);
    }

    RowGroup write(AlbisSchema schema, WriterOptions options)
            throws IOException
    {
        return write(schema, options, row -> Slices.utf8Slice("text " + row));
    }

    RowGroup write(AlbisSchema schema, WriterOptions options, LongFunction<Slice> text)
            throws IOException
    {
        RollingRowGroupWriter writer = new RollingRowGroupWriter(fileSystem, FOLDER, schema.rowGroupSchema(), options);
        Block[] blocks = new Block[schema.columns().size()];
        for (int channel = 0; channel < blocks.length; channel++) {
            AlbisColumn column = schema.columns().get(channel);
            BlockBuilder builder = column.type().createBlockBuilder(null, ROWS);
            for (long row = 0; row < ROWS; row++) {
                if (row % 7 == 3) {
                    builder.appendNull();
                    continue;
                }
                TypeUtils.writeNativeValue(column.type(), builder, switch (column.id()) {
                    case 3 -> text.apply(row);
                    case 4 -> (double) row;
                    default -> row;
                });
            }
            blocks[channel] = builder.build();
        }
        writer.append(new Page(blocks));
        return writer.finish().getFirst();
    }

    void readAll(RowGroup rowGroup)
            throws IOException
    {
        readAll(rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), () -> {});
    }

    void readAll(RowGroup rowGroup, RowGroupScan scan, Action afterFirst)
            throws IOException
    {
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS)) {
            boolean first = true;
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                for (int channel = 0; channel < scan.columns().size(); channel++) {
                    assertThat(batch.block(channel).getPositionCount()).isEqualTo(batch.positionCount());
                }
                if (first) {
                    afterFirst.run();
                }
                first = false;
            }
        }
    }

    AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, String description)
    {
        return assertDamaged(rowGroup, RowGroupScan.of(COLUMNS, PREDICATE), description);
    }

    AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, RowGroupScan scan, String description)
    {
        return assertDamaged(rowGroup, scan, description, () -> {});
    }

    AbstractThrowableAssert<?, ? extends Throwable> assertDamaged(RowGroup rowGroup, RowGroupScan scan, String description, Action afterFirst)
    {
        return assertFailure(DAMAGED, rowGroup, scan, description, afterFirst);
    }

    AbstractThrowableAssert<?, ? extends Throwable> assertFailure(AlbisDataException.Reason reason, RowGroup rowGroup, RowGroupScan scan, String description, Action afterFirst)
    {
        Throwable failure = catchThrowable(() -> readAll(rowGroup, scan, afterFirst));
        assertThat(failure).as(description).isInstanceOf(AlbisDataException.class);
        assertThat(((AlbisDataException) failure).reason()).as(description).isEqualTo(reason);
        return assertThat(failure).as(description).hasMessageContaining(rowGroup.id().toString());
    }

    static byte[] longBytes(long value)
    {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    /**
     * Corrects the checksum at the end of a file.
     */
    static byte[] withChecksum(byte[] file)
    {
        CRC32C checksum = new CRC32C();
        checksum.update(file, 0, file.length - Integer.BYTES);
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length - Integer.BYTES, (int) checksum.getValue());
        return file;
    }

    byte[] bytes(Location location)
            throws IOException
    {
        return FileBytes.read(fileSystem, location);
    }

    void overwrite(Location location, byte[] bytes)
            throws IOException
    {
        FileBytes.overwrite(fileSystem, location, bytes);
    }
}
