package io.albis.trino.statistics;

import io.airlift.slice.Slice;

import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * Places texts on a line: what follows the prefix that all of them share is read as the digits of a fraction. The base
 * is the number of characters that the column seems to use. {@code Clerk#000000900} is then close to nine tenths of
 * the way from {@code Clerk#000000001} to {@code Clerk#000001000}, and not close to the start, as it would be if a
 * digit could be any of 256 bytes.
 */
final class TextScale
{
    // a double holds no more than this of the smallest base
    private static final int MAX_DIGITS = 16;

    private final int prefix;
    private final int first;
    private final int base;

    /**
     * @param low that no text of the column is less than
     * @param high that no text of the column is greater than
     */
    TextScale(Slice low, Slice high)
    {
        int length = min(low.length(), high.length());
        int shared = 0;
        while (shared < length && low.getByte(shared) == high.getByte(shared)) {
            shared++;
        }
        prefix = shared;

        int least = 0xFF;
        int greatest = 0;
        for (Slice bound : new Slice[] {low, high}) {
            for (int i = shared; i < min(bound.length(), shared + MAX_DIGITS); i++) {
                int character = bound.getUnsignedByte(i);
                least = min(least, firstOfKind(character));
                greatest = max(greatest, lastOfKind(character));
            }
        }
        first = min(least, greatest);
        base = max(greatest - first + 1, 2);
    }

    private static int firstOfKind(int character)
    {
        if (isDigit(character)) {
            return '0';
        }
        if (isUpperCase(character)) {
            return 'A';
        }
        return isLowerCase(character) ? 'a' : character;
    }

    private static int lastOfKind(int character)
    {
        if (isDigit(character)) {
            return '9';
        }
        if (isUpperCase(character)) {
            return 'Z';
        }
        return isLowerCase(character) ? 'z' : character;
    }

    private static boolean isDigit(int character)
    {
        return character >= '0' && character <= '9';
    }

    private static boolean isUpperCase(int character)
    {
        return character >= 'A' && character <= 'Z';
    }

    private static boolean isLowerCase(int character)
    {
        return character >= 'a' && character <= 'z';
    }

    /**
     * @param text between the bounds
     */
    double position(Slice text)
    {
        double position = 0;
        double unit = 1;
        for (int i = prefix; i < min(text.length(), prefix + MAX_DIGITS); i++) {
            int digit = text.getUnsignedByte(i) - first;
            unit /= base;
            position += clamp(digit, 0, base - 1) * unit;
            if (digit < 0) {
                // less than all that continue with a character of the column
                return position;
            }
            if (digit >= base) {
                // greater than all of them
                return position + unit;
            }
        }
        return position;
    }
}
