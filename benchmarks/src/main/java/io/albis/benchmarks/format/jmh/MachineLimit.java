package io.albis.benchmarks.format.jmh;

import io.albis.format.vector.NarrowValues;
import org.openjdk.jmh.infra.Blackhole;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The individual steps from a file to the arrays of a block. The loops that fill arrays are those of the reader, which
 * are the fastest that are known.
 */
public enum MachineLimit
{
    /**
     * Reads a file from the page cache into an array that is reused.
     */
    READ("readFully into a byte[] of 1 MB", Unit.BYTES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
                throws IOException
        {
            read(file, buffer, buffer.length, blackhole);
        }
    },
    /**
     * Uses smaller reads. There are more of them, but the data stays closer to the CPU.
     */
    READ_SMALL("readFully into a byte[] of 64 kB", Unit.BYTES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
                throws IOException
        {
            read(file, buffer, SMALL_BYTES, blackhole);
        }
    },
    READ_AND_COPY("readFully, then one bulk copy into a fresh long[]", Unit.BYTES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
                throws IOException
        {
            for (int position = 0; position < FILE_BYTES; position += SMALL_BYTES) {
                file.seek(position);
                file.readFully(buffer, 0, SMALL_BYTES);
                copy(buffer, blackhole);
            }
        }
    },
    COPY("bulk copy into a fresh long[]", Unit.BYTES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            for (int i = 0; i < FILE_BYTES / SMALL_BYTES; i++) {
                copy(buffer, blackhole);
            }
        }
    },
    CHECKSUM("CRC32C", Unit.BYTES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            for (int i = 0; i < FILE_BYTES / SMALL_BYTES; i++) {
                CRC32C checksum = new CRC32C();
                checksum.update(buffer, 0, SMALL_BYTES);
                blackhole.consume(checksum.getValue());
            }
        }
    },
    LONGS_FROM_8("fill a long[8192] from 8 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, Long.BYTES, blackhole);
        }
    },
    LONGS_FROM_6("fill a long[8192] from 6 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, 6, blackhole);
        }
    },
    LONGS_FROM_4("fill a long[8192] from 4 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, Integer.BYTES, blackhole);
        }
    },
    LONGS_FROM_3("fill a long[8192] from 3 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, 3, blackhole);
        }
    },
    LONGS_FROM_2("fill a long[8192] from 2 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, Short.BYTES, blackhole);
        }
    },
    LONGS_FROM_1("fill a long[8192] from 1 byte a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillLongs(buffer, 1, blackhole);
        }
    },
    INTS_FROM_4("fill an int[8192] from 4 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillInts(buffer, Integer.BYTES, blackhole);
        }
    },
    INTS_FROM_3("fill an int[8192] from 3 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillInts(buffer, 3, blackhole);
        }
    },
    INTS_FROM_2("fill an int[8192] from 2 bytes a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillInts(buffer, Short.BYTES, blackhole);
        }
    },
    INTS_FROM_1("fill an int[8192] from 1 byte a value", Unit.VALUES) {
        @Override
        void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
        {
            fillInts(buffer, 1, blackhole);
        }
    },
    /**/;

    static final int BUFFER_BYTES = 1 << 20;
    static final int FILE_BYTES = 1 << 26;
    private static final int ARRAY_LENGTH = 8192;
    // Equals the size of an array of longs, which is small enough to stay in the CPU cache until it is decoded
    private static final int SMALL_BYTES = ARRAY_LENGTH * Long.BYTES;
    private static final int VALUES = 1 << 22;

    private final String title;
    private final Unit unit;

    MachineLimit(String title, Unit unit)
    {
        this.title = title;
        this.unit = unit;
    }

    public String title()
    {
        return title;
    }

    public Unit unit()
    {
        return unit;
    }

    /**
     * Returns the number of bytes or values per operation.
     */
    public long work()
    {
        return unit == Unit.BYTES ? FILE_BYTES : VALUES;
    }

    abstract void run(RandomAccessFile file, byte[] buffer, Blackhole blackhole)
            throws IOException;

    private static void read(RandomAccessFile file, byte[] buffer, int length, Blackhole blackhole)
            throws IOException
    {
        for (int position = 0; position < FILE_BYTES; position += length) {
            file.seek(position);
            file.readFully(buffer, 0, length);
            blackhole.consume(buffer);
        }
    }

    private static void copy(byte[] buffer, Blackhole blackhole)
    {
        long[] values = new long[ARRAY_LENGTH];
        ByteBuffer.wrap(buffer).order(LITTLE_ENDIAN).asLongBuffer().get(values);
        blackhole.consume(values);
    }

    private static void fillLongs(byte[] buffer, int width, Blackhole blackhole)
    {
        int offset = 0;
        for (int i = 0; i < VALUES / ARRAY_LENGTH; i++) {
            long[] values = new long[ARRAY_LENGTH];
            NarrowValues.widen(buffer, offset, width, i, ARRAY_LENGTH, values, 0);
            blackhole.consume(values);
            offset = next(offset, width);
        }
    }

    private static void fillInts(byte[] buffer, int width, Blackhole blackhole)
    {
        int offset = 0;
        for (int i = 0; i < VALUES / ARRAY_LENGTH; i++) {
            int[] values = new int[ARRAY_LENGTH];
            NarrowValues.widen(buffer, offset, width, i, ARRAY_LENGTH, values, 0);
            blackhole.consume(values);
            offset = next(offset, width);
        }
    }

    private static int next(int offset, int width)
    {
        int next = offset + ARRAY_LENGTH * width;
        return next + ARRAY_LENGTH * width > 2 * SMALL_BYTES ? 0 : next;
    }

    public enum Unit
    {
        BYTES,
        VALUES,
    }
}
