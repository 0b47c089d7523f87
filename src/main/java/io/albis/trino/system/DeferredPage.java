package io.albis.trino.system;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ConcurrentReads;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjLongConsumer;

import static io.airlift.slice.SizeOf.instanceSize;
import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * A page whose last column is made only if the query needs it, because each of its values reads files. Several of them
 * are made at the same time.
 */
final class DeferredPage
        implements SourcePage
{
    private static final int INSTANCE_SIZE = instanceSize(DeferredPage.class);

    private final Type type;
    private Page known;
    private final ConcurrentReads reads;
    private List<ReadCall<Object>> values;
    // null until it is needed
    @Nullable
    private Block last;

    /**
     * @param known the other columns
     * @param type type of the last column
     * @param values make the values of the last column, which are native values and not null
     */
    DeferredPage(Page known, Type type, List<ReadCall<Object>> values, ConcurrentReads reads)
    {
        this.known = requireNonNull(known, "known is null");
        this.type = requireNonNull(type, "type is null");
        this.values = ImmutableList.copyOf(values);
        this.reads = requireNonNull(reads, "reads is null");
    }

    @Override
    public int getPositionCount()
    {
        return known.getPositionCount();
    }

    @Override
    public long getSizeInBytes()
    {
        return known.getSizeInBytes() + (last == null ? 0 : last.getSizeInBytes());
    }

    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + known.getRetainedSizeInBytes() + (last == null ? 0 : last.getRetainedSizeInBytes());
    }

    @Override
    public void retainedBytesForEachPart(ObjLongConsumer<Object> consumer)
    {
        consumer.accept(this, INSTANCE_SIZE);
        for (int channel = 0; channel < known.getChannelCount(); channel++) {
            known.getBlock(channel).retainedBytesForEachPart(consumer);
        }
        if (last != null) {
            last.retainedBytesForEachPart(consumer);
        }
    }

    @Override
    public int getChannelCount()
    {
        return known.getChannelCount() + 1;
    }

    @Override
    public Block getBlock(int channel)
    {
        if (channel < known.getChannelCount()) {
            return known.getBlock(channel);
        }
        if (last == null) {
            // the engine calls this without the class loader of the plugin, which the file system may need
            try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
                last = translate(this::makeLast);
            }
        }
        return last;
    }

    private Block makeLast()
            throws IOException
    {
        BlockBuilder builder = type.createBlockBuilder(null, values.size());
        for (Object value : reads.callAll(values)) {
            writeNativeValue(type, builder, value);
        }
        return builder.build();
    }

    @Override
    public Page getPage()
    {
        return known.appendColumn(getBlock(known.getChannelCount()));
    }

    @Override
    public void selectPositions(int[] positions, int offset, int size)
    {
        known = known.getPositions(positions, offset, size);
        if (last != null) {
            last = last.getPositions(positions, offset, size);
        }
        List<ReadCall<Object>> all = values;
        values = Arrays.stream(positions, offset, offset + size)
                .mapToObj(all::get)
                .toList();
    }
}
