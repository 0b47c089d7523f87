package io.albis.trino.differential;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.RandomBlocks;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarbinaryType;
import io.trino.spi.type.VarcharType;

import java.util.Arrays;
import java.util.Random;

import static io.trino.spi.type.Chars.trimTrailingSpaces;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Creates the values of a column with one of the distributions that columns have: constant, a few distinct values,
 * ascending, clustered, or scattered, with small or large distances between the values.
 */
final class RandomValues
{
    // The unsigned distances from the minimum at which one more byte is needed
    private static final long[] DISTANCES = {
            0, 1, 10, 200,
            (1 << 8) - 1, 1 << 8,
            (1 << 16) - 1, 1 << 16,
            (1 << 24) - 1, 1 << 24,
            (1L << 31) - 1, 1L << 31,
            (1L << 32) - 1, 1L << 32,
            Long.MAX_VALUE, -1,
    };
    // The length at which the bounds of longer texts are truncated
    private static final int BOUND_LENGTH = 64;

    private RandomValues() {}

    /**
     * Creates native values and nulls.
     */
    static Object[] randomValues(Random random, Type type, int count)
    {
        Object[] values = switch (random.nextInt(10)) {
            case 0 -> fewDifferent(random, type, count, 1);
            case 1, 2 -> fewDifferent(random, type, count, 2 << random.nextInt(11));
            case 3, 4 -> anyValues(random, type, count);
            case 5 -> isText(type) ? longTexts(random, type, count) : numbered(random, type, count);
            default -> numbered(random, type, count);
        };
        setNulls(random, values);
        return values;
    }

    private static Object[] anyValues(Random random, Type type, int count)
    {
        Object[] values = new Object[count];
        Arrays.setAll(values, _ -> RandomBlocks.randomValue(random, type));
        return values;
    }

    private static Object[] fewDifferent(Random random, Type type, int count, int different)
    {
        Object[] dictionary = random.nextBoolean() ? anyValues(random, type, different) : numbered(random, type, different);
        // The number of consecutive rows with the same value
        int stretch = random.nextBoolean() ? 1 : 1 << random.nextInt(14);
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            values[i] = i % stretch == 0 ? dictionary[random.nextInt(different)] : values[i - 1];
        }
        return values;
    }

    private static Object[] numbered(Random random, Type type, int count)
    {
        long[] numbers = numbers(random, NumberedValues.min(type), NumberedValues.max(type), count);
        Object[] values = new Object[count];
        Arrays.setAll(values, i -> NumberedValues.value(type, numbers[i]));
        return values;
    }

    private static long[] numbers(Random random, long min, long max, int count)
    {
        long span = max - min;
        long distance = DISTANCES[random.nextInt(DISTANCES.length)];
        if (Long.compareUnsigned(distance, span) > 0) {
            distance = span;
        }
        long lowest = switch (random.nextInt(3)) {
            case 0 -> min;
            case 1 -> max - distance;
            default -> min + randomUpTo(random, span - distance);
        };
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = lowest + switch (random.nextInt(50)) {
                case 0 -> 0;
                case 1 -> distance;
                default -> randomUpTo(random, distance);
            };
        }
        switch (random.nextInt(3)) {
            case 0 -> Arrays.sort(numbers);
            case 1 -> {
                // Adjacent rows have similar values
                int stretch = 1 + random.nextInt(3000);
                Arrays.sort(numbers);
                for (int start = 0; start < count; start += stretch) {
                    shuffle(random, numbers, start, Math.min(count, start + stretch));
                }
            }
            default -> {}
        }
        return numbers;
    }

    /**
     * Returns a number between zero and an unsigned limit.
     */
    private static long randomUpTo(Random random, long limit)
    {
        return limit == -1 ? random.nextLong() : Long.remainderUnsigned(random.nextLong(), limit + 1);
    }

    private static void shuffle(Random random, long[] numbers, int start, int end)
    {
        for (int i = end - 1; i > start; i--) {
            int j = start + random.nextInt(i - start + 1);
            long number = numbers[i];
            numbers[i] = numbers[j];
            numbers[j] = number;
        }
    }

    private static boolean isText(Type type)
    {
        return type instanceof VarcharType || type instanceof CharType || type instanceof VarbinaryType;
    }

    /**
     * Creates texts that differ only near the length at which bounds are truncated, also within multi-byte characters.
     * Some of the texts are long.
     */
    private static Object[] longTexts(Random random, Type type, int count)
    {
        int[] characters = {'a', 0xE9, 0x20AC, 0x1F4A9, Character.MAX_CODE_POINT};
        int character = characters[random.nextInt(characters.length)];
        int width = Character.toString(character).getBytes(UTF_8).length;
        String prefix = "x".repeat(random.nextInt(width)) + Character.toString(character).repeat(BOUND_LENGTH / width - 1);
        int maxLength = switch (type) {
            case CharType charType -> charType.getLength();
            case VarcharType varcharType -> varcharType.getLength().orElse(Integer.MAX_VALUE);
            default -> Integer.MAX_VALUE;
        };
        Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder(random.nextInt(20) == 0 ? "" : prefix);
            for (int j = random.nextInt(8); j > 0; j--) {
                text.appendCodePoint(random.nextBoolean() ? character : characters[random.nextInt(characters.length)]);
            }
            if (random.nextInt(1000) == 0) {
                text.append("long".repeat(random.nextInt(5000)));
            }
            if (text.codePointCount(0, text.length()) > maxLength) {
                text.setLength(text.offsetByCodePoints(0, maxLength));
            }
            Slice bytes = Slices.utf8Slice(text.toString());
            values[i] = switch (type) {
                case CharType _ -> trimTrailingSpaces(bytes);
                // The largest byte, which has no successor
                case VarbinaryType _ when random.nextBoolean() -> filled(random.nextInt(2 * BOUND_LENGTH));
                default -> bytes;
            };
        }
        return values;
    }

    private static Slice filled(int length)
    {
        Slice bytes = Slices.allocate(length);
        bytes.fill((byte) 0xFF);
        return bytes;
    }

    private static void setNulls(Random random, Object[] values)
    {
        double share = new double[] {0, 0, 0, 0.001, 0.05, 0.5, 0.98, 1}[random.nextInt(8)];
        int stretch = random.nextBoolean() ? 1 : 1 << random.nextInt(14);
        boolean isNull = false;
        for (int i = 0; i < values.length; i++) {
            if (i % stretch == 0) {
                isNull = random.nextDouble() < share;
            }
            if (isNull) {
                values[i] = null;
            }
        }
    }
}
