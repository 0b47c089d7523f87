package io.albis.trino.pushdown;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.CharType;

import static io.airlift.slice.SliceUtf8.countCodePoints;
import static io.airlift.slice.SliceUtf8.substring;
import static io.trino.spi.type.Chars.trimTrailingSpaces;

/**
 * Which values of a CHAR column may satisfy a comparison of their text with another one: never too few, be the text that
 * of the value with its trailing spaces or without, which is up to the configuration of the engine.
 * <p>
 * Texts compare byte by byte and a prefix is less than what it is a prefix of; values of CHAR compare as if filled with spaces. So the two
 * orders differ where one text is a prefix of the other and goes on with characters below space.
 */
final class CharRanges
{
    // for a longer rest it is enough to know the upper bound
    private static final int MAX_REST = 1000;

    private CharRanges() {}

    public static ValueSet equalTo(CharType type, Slice text)
    {
        Slice value = trimTrailingSpaces(text);
        return countCodePoints(value) > type.getLength() ? ValueSet.none(type) : ValueSet.of(type, value);
    }

    /**
     * Texts from this one on.
     */
    public static ValueSet atLeast(CharType type, Slice text)
    {
        // as long as it is a prefix of them, no text of the column is longer
        Slice prefix = prefix(text, type.getLength());
        int rest = type.getLength() - countCodePoints(prefix);
        if (rest > MAX_REST) {
            return ValueSet.all(type);
        }
        // the least that begins so
        DynamicSliceOutput least = new DynamicSliceOutput(prefix.length() + rest);
        least.writeBytes(prefix);
        for (int i = 0; i < rest; i++) {
            least.writeByte(0);
        }
        return ValueSet.ofRanges(Range.greaterThanOrEqual(type, trimTrailingSpaces(least.slice())));
    }

    /**
     * Texts up to this one.
     */
    public static ValueSet atMost(CharType type, Slice text)
    {
        // of what is a prefix of it, filled with spaces, the greatest ends before the first character below space
        int end = 0;
        while (end < text.length() && (text.getByte(end) < 0 || text.getByte(end) >= ' ')) {
            end++;
        }
        Slice greatest = prefix(text.slice(0, end), type.getLength());
        return ValueSet.ofRanges(Range.lessThanOrEqual(type, trimTrailingSpaces(greatest)));
    }

    /**
     * Texts that begin with this one.
     */
    public static ValueSet startingWith(CharType type, Slice text)
    {
        if (countCodePoints(text) > type.getLength()) {
            return ValueSet.none(type);
        }
        ValueSet values = atLeast(type, text);
        for (int last = text.length() - 1; last >= 0; last--) {
            // a character of one byte that has a next one
            if (text.getByte(last) >= 0 && text.getByte(last) < Byte.MAX_VALUE) {
                Slice next = text.slice(0, last + 1).copy();
                next.setByte(last, text.getByte(last) + 1);
                return values.intersect(ValueSet.ofRanges(Range.lessThan(type, trimTrailingSpaces(next))));
            }
        }
        return values;
    }

    private static Slice prefix(Slice text, int codePoints)
    {
        return countCodePoints(text) <= codePoints ? text : substring(text, 0, codePoints);
    }
}
