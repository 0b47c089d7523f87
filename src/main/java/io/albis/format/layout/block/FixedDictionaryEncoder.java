package io.albis.format.layout.block;

import com.google.common.collect.ImmutableList;
import io.albis.format.run.Chunk;
import io.albis.format.run.ChunkEncoding.Dictionary;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.Run;
import io.albis.format.run.RunEncoding.Fixed;
import io.albis.format.run.Segment;
import io.albis.format.type.OrderKeys;
import io.albis.format.type.StorageType;
import io.albis.format.vector.NarrowValues;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.Optional;

/**
 * Writes a segment of values of a fixed width as a dictionary and ids.
 */
final class FixedDictionaryEncoder
{
    private final OrderKeys orderKeys;
    private final StorageType storageType;
    private final FixedDictionaryBuilder builder;

    FixedDictionaryEncoder(Type type, FixedDictionaryBuilder builder)
    {
        this.orderKeys = OrderKeys.of(type);
        this.storageType = StorageType.of(type);
        this.builder = builder;
    }

    Chunk write(ValidityEncoder nulls, ChunkOutput output)
            throws IOException
    {
        long offset = output.offset();
        int rows = nulls.rows();
        EntryOrder order = EntryOrder.of(builder.entries(), orderKeys, this::block);
        order.renumber(builder.ids(), rows);
        Dictionary dictionary = writeEntries(order, output);
        ImmutableList.Builder<Run> runs = ImmutableList.builder();
        for (int run = 0; run < Segment.runs(rows); run++) {
            runs.add(IdEncoder.writeRun(builder.ids(), run * Run.MAX_ROWS, Segment.runRows(rows, run), builder.entries(), nulls.nulls(run), output));
        }
        return new Chunk(dictionary, offset, runs.build());
    }

    private Dictionary writeEntries(EntryOrder order, ChunkOutput output)
            throws IOException
    {
        int entries = builder.entries();
        Fixed encoding = encoding();
        int width = encoding.width();
        byte[] buffer = output.buffer(width * entries);
        for (int place = 0; place < entries; place++) {
            int entry = order.entries()[place];
            switch (storageType) {
                // each write also overwrites the excess bytes of the previous value
                case INT, LONG -> NarrowValues.setLong(buffer, width * place, builder.high(entry) - encoding.base());
                case FIXED12 -> {
                    NarrowValues.setLong(buffer, width * place, builder.high(entry));
                    NarrowValues.setInt(buffer, width * place + Long.BYTES, (int) builder.low(entry));
                }
                case INT128 -> {
                    NarrowValues.setLong(buffer, width * place, builder.high(entry));
                    NarrowValues.setLong(buffer, width * place + Long.BYTES, builder.low(entry));
                }
                case BYTE, SHORT, VARIABLE -> throw new IllegalStateException();
            }
        }
        return new Dictionary(entries, order.sorted(), encoding, output.write(width * entries));
    }

    private Fixed encoding()
    {
        int slotSize = storageType.slotSize();
        if (slotSize > Long.BYTES) {
            return new Fixed(slotSize, 0, 0);
        }
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int entry = 0; entry < builder.entries(); entry++) {
            min = Math.min(min, builder.high(entry));
            max = Math.max(max, builder.high(entry));
        }
        int width = NarrowValues.width(min, max);
        return width < slotSize ? new Fixed(width, min, 0) : new Fixed(slotSize, 0, 0);
    }

    private ValueBlock block()
    {
        int entries = builder.entries();
        long[] longs = new long[2 * entries];
        int[] ints = new int[3 * entries];
        for (int entry = 0; entry < entries; entry++) {
            switch (storageType) {
                case INT -> ints[entry] = (int) builder.high(entry);
                case LONG -> longs[entry] = builder.high(entry);
                case FIXED12 -> {
                    ints[3 * entry] = (int) builder.high(entry);
                    ints[3 * entry + 1] = (int) (builder.high(entry) >>> Integer.SIZE);
                    ints[3 * entry + 2] = (int) builder.low(entry);
                }
                case INT128 -> {
                    longs[2 * entry] = builder.high(entry);
                    longs[2 * entry + 1] = builder.low(entry);
                }
                case BYTE, SHORT, VARIABLE -> throw new IllegalStateException();
            }
        }
        return switch (storageType) {
            case INT -> new IntArrayBlock(entries, Optional.empty(), ints);
            case LONG -> new LongArrayBlock(entries, Optional.empty(), longs);
            case FIXED12 -> new Fixed12Block(entries, Optional.empty(), ints);
            case INT128 -> new Int128ArrayBlock(entries, Optional.empty(), longs);
            case BYTE, SHORT, VARIABLE -> throw new IllegalStateException();
        };
    }
}
