package io.albis.trino.statistics;

import io.airlift.slice.Slice;

import static java.lang.Math.clamp;
import static java.lang.Math.max;
import static java.lang.Math.min;

/**
 * Maps texts to positions on a line. The characters after the prefix that all texts share are read as the digits of a
 * fraction. Its base is the number of characters that the column seems to use. For example, {@code Clerk#000000900} is
 * about nine tenths of the way from {@code Clerk#000000001} to {@code Clerk#000001000}. With base 256, it would be
 * close to the start.
 */
final class TextScale
{
    // a double has no room for more digits, and fewer are significant in a larger base
    private static final int MAX_DIGITS = 16;

    private final int prefix;
    private final int first;
    private final int base;

    /**
     * Finds the prefix that the bounds share and the characters that follow it.
     *
     * @param low lower bound of the texts in the column
     * @param high upper bound of the texts in the column
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
     * Returns the position of a text.
     *
     * @param text a text between the bounds
     * @return a number between 0 and 1
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
                // less than all texts that continue with a character of the column
                return position;
            }
            if (digit >= base) {
                // greater than all texts that continue with a character of the column
                return position + unit;
            }
        }
        return position;
    }
}
