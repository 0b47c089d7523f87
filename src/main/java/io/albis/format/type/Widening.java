package io.albis.format.type;

import io.trino.spi.block.Bitmap;
import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimeWithTimeZoneType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Optional;

import static java.lang.Float.intBitsToFloat;
import static java.util.Objects.requireNonNull;

/**
 * A change of the type of a column that needs no rewriting: each value of the narrower type is also one of the wider
 * type, and compares in the same way. The class lists these changes and converts what was stored with the narrower type
 * while it is read.
 *
 * @param from the type with which values were stored
 * @param to the wider type
 */
public record Widening(Type from, Type to, Conversion conversion)
{
    /**
     * How blocks are converted.
     */
    public enum Conversion
    {
        /**
         * The bytes of both types are the same.
         */
        NONE,
        /**
         * Integers get more bytes.
         */
        INTEGER,
        /**
         * Floats become doubles.
         */
        FLOAT,
        /**
         * Decimals of one long become decimals of two.
         */
        DECIMAL,
    }

    private static final TypeResolver STORED_TYPES = new LocalTypeResolver();

    public Widening
    {
        requireNonNull(from, "from is null");
        requireNonNull(to, "to is null");
        requireNonNull(conversion, "conversion is null");
    }

    /**
     * Finds the widening from a type with which values were stored.
     *
     * @param fromId id of the type
     * @return empty if values cannot be read as {@code to} without rewriting them, or if the types are the same
     */
    public static Optional<Widening> find(String fromId, Type to)
    {
        Type from;
        try {
            from = STORED_TYPES.resolve(fromId);
        }
        catch (RuntimeException _) {
            // A type without parameters that needs a server, or a name that is not valid: neither can be widened
            return Optional.empty();
        }
        return find(from, to);
    }

    /**
     * Finds the widening from one type to another.
     *
     * @return empty if values cannot be read as {@code to} without rewriting them, or if the types are the same
     */
    public static Optional<Widening> find(Type from, Type to)
    {
        if (NestedTypes.isNested(from) || NestedTypes.isNested(to) || !StorageType.isSupported(from) || !StorageType.isSupported(to)) {
            return Optional.empty();
        }
        return conversion(from, to).map(conversion -> new Widening(from, to, conversion));
    }

    private static Optional<Conversion> conversion(Type from, Type to)
    {
        ScalarType source = ScalarType.of(from);
        ScalarType target = ScalarType.of(to);
        if (source != target) {
            if (source == ScalarType.REAL && target == ScalarType.DOUBLE) {
                return Optional.of(Conversion.FLOAT);
            }
            boolean wider = isInteger(source) && isInteger(target) && StorageType.of(from).slotSize() < StorageType.of(to).slotSize();
            return wider ? Optional.of(Conversion.INTEGER) : Optional.empty();
        }
        boolean wider = switch (source) {
            case DECIMAL -> ((DecimalType) from).getScale() == ((DecimalType) to).getScale() && ((DecimalType) from).getPrecision() < ((DecimalType) to).getPrecision();
            case TIME -> ((TimeType) from).getPrecision() < ((TimeType) to).getPrecision();
            case TIME_WITH_TIME_ZONE -> ((TimeWithTimeZoneType) from).getPrecision() < ((TimeWithTimeZoneType) to).getPrecision();
            case TIMESTAMP -> ((TimestampType) from).getPrecision() < ((TimestampType) to).getPrecision();
            case TIMESTAMP_WITH_TIME_ZONE -> ((TimestampWithTimeZoneType) from).getPrecision() < ((TimestampWithTimeZoneType) to).getPrecision();
            case CHAR -> ((CharType) from).getLength() < ((CharType) to).getLength();
            case VARCHAR -> isShorter((VarcharType) from, (VarcharType) to);
            case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
        if (!wider) {
            return Optional.empty();
        }
        if (StorageType.of(from) == StorageType.of(to)) {
            return Optional.of(Conversion.NONE);
        }
        // Long forms of times differ from the short ones in more than their size
        return source == ScalarType.DECIMAL ? Optional.of(Conversion.DECIMAL) : Optional.empty();
    }

    private static boolean isInteger(ScalarType type)
    {
        return switch (type) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
            case BOOLEAN, REAL, DOUBLE, DECIMAL, DATE, TIME, TIME_WITH_TIME_ZONE, TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE, CHAR, VARCHAR, VARBINARY, UUID, JSON, IPADDRESS -> false;
        };
    }

    private static boolean isShorter(VarcharType from, VarcharType to)
    {
        return !from.isUnbounded() && (to.isUnbounded() || from.getBoundedLength() < to.getBoundedLength());
    }

    /**
     * Returns whether the {@link OrderKeys} of the wider type accept blocks of the narrower one, so that values can be
     * filtered before they are converted.
     */
    public boolean keepsKeys()
    {
        return switch (conversion) {
            case NONE, INTEGER -> true;
            case FLOAT, DECIMAL -> false;
        };
    }

    /**
     * Converts the bytes of a single value.
     *
     * @throws IllegalArgumentException if the bytes are not valid for the narrower type
     */
    public byte[] widen(byte[] value)
    {
        return StoredValues.toBytes(widen(StoredValues.toBlock(StorageType.of(from), value)), 0);
    }

    /**
     * Converts a block, and keeps dictionaries and run-length encoding.
     */
    public Block widen(Block block)
    {
        return switch (block) {
            case ValueBlock values -> widen(values);
            case RunLengthEncodedBlock repeated -> RunLengthEncodedBlock.create(widen(repeated.getValue()), repeated.getPositionCount());
            case DictionaryBlock dictionary -> dictionary.createProjection(widen(dictionary.getDictionary()));
        };
    }

    /**
     * Converts values.
     */
    public ValueBlock widen(ValueBlock block)
    {
        int count = block.getPositionCount();
        return switch (conversion) {
            case NONE -> block;
            case INTEGER -> widenIntegers(block, count);
            case FLOAT -> {
                IntArrayBlock values = (IntArrayBlock) block;
                long[] wide = new long[count];
                for (int i = 0; i < count; i++) {
                    wide[i] = Double.doubleToLongBits(intBitsToFloat(values.getInt(i)));
                }
                yield new LongArrayBlock(count, validity(block), wide);
            }
            case DECIMAL -> {
                LongArrayBlock values = (LongArrayBlock) block;
                long[] wide = new long[2 * count];
                for (int i = 0; i < count; i++) {
                    long value = values.getLong(i);
                    wide[2 * i] = value >> (Long.SIZE - 1);
                    wide[2 * i + 1] = value;
                }
                yield new Int128ArrayBlock(count, validity(block), wide);
            }
        };
    }

    private ValueBlock widenIntegers(ValueBlock block, int count)
    {
        long[] keys = new long[count];
        OrderKeys.INTEGRAL.extract(block, 0, count, keys, keys);
        Optional<long[]> validity = validity(block);
        return switch (StorageType.of(to)) {
            case LONG -> new LongArrayBlock(count, validity, keys);
            case INT -> {
                int[] wide = new int[count];
                for (int i = 0; i < count; i++) {
                    wide[i] = (int) keys[i];
                }
                yield new IntArrayBlock(count, validity, wide);
            }
            case SHORT -> {
                short[] wide = new short[count];
                for (int i = 0; i < count; i++) {
                    wide[i] = (short) keys[i];
                }
                yield new ShortArrayBlock(count, validity, wide);
            }
            case BYTE -> {
                byte[] wide = new byte[count];
                for (int i = 0; i < count; i++) {
                    wide[i] = (byte) keys[i];
                }
                yield new ByteArrayBlock(count, validity, wide);
            }
            case FIXED12, INT128, VARIABLE -> throw new IllegalStateException(to + " is not an integer");
        };
    }

    private static Optional<long[]> validity(ValueBlock block)
    {
        Optional<Bitmap> bitmap = block.getValidityBitmap();
        if (bitmap.isEmpty()) {
            return Optional.empty();
        }
        int count = block.getPositionCount();
        long[] words = new long[Bitmap.wordsForBits(count)];
        Bitmap.copyBits(bitmap.get().getRawWords(), bitmap.get().getRawBitOffset(), words, 0, count);
        return Optional.of(words);
    }
}
