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
 * Finds the values of a CHAR column that may satisfy a comparison of their text with another text. The text of a value
 * includes its trailing spaces or not, depending on the configuration of the engine. The result includes all values
 * that match in either case, and perhaps others.
 * <p>
 * Texts are compared byte by byte, and a prefix is less than a text that starts with it. CHAR values are compared as if
 * they were padded with spaces. The two orders differ if one text is a prefix of the other and the other one continues
 * with characters below space.
 */
final class CharRanges
{
    // a lower bound that needs more padding is omitted, and the upper bound has to suffice
    private static final int MAX_REST = 1000;

    private CharRanges() {}

    /**
     * Returns the value whose text may be equal to this text, or no value if the text is too long for the column.
     */
    public static ValueSet equalTo(CharType type, Slice text)
    {
        Slice value = trimTrailingSpaces(text);
        return countCodePoints(value) > type.getLength() ? ValueSet.none(type) : ValueSet.of(type, value);
    }

    /**
     * Returns the values whose text may be greater than or equal to this text.
     */
    public static ValueSet atLeast(CharType type, Slice text)
    {
        // no text of the column is longer than its type, so the prefix of that length decides
        Slice prefix = prefix(text, type.getLength());
        int rest = type.getLength() - countCodePoints(prefix);
        if (rest > MAX_REST) {
            return ValueSet.all(type);
        }
        // the least value that starts with the prefix
        DynamicSliceOutput least = new DynamicSliceOutput(prefix.length() + rest);
        least.writeBytes(prefix);
        for (int i = 0; i < rest; i++) {
            least.writeByte(0);
        }
        return ValueSet.ofRanges(Range.greaterThanOrEqual(type, trimTrailingSpaces(least.slice())));
    }

    /**
     * Returns the values whose text may be less than or equal to this text.
     */
    public static ValueSet atMost(CharType type, Slice text)
    {
        // Prefixes of the text are less than it. Padded with spaces, the greatest of them is the one that ends before
        // the first character below space
        int end = 0;
        while (end < text.length() && (text.getByte(end) < 0 || text.getByte(end) >= ' ')) {
            end++;
        }
        Slice greatest = prefix(text.slice(0, end), type.getLength());
        return ValueSet.ofRanges(Range.lessThanOrEqual(type, trimTrailingSpaces(greatest)));
    }

    /**
     * Returns the values whose text may start with this text.
     */
    public static ValueSet startingWith(CharType type, Slice text)
    {
        if (countCodePoints(text) > type.getLength()) {
            return ValueSet.none(type);
        }
        ValueSet values = atLeast(type, text);
        for (int last = text.length() - 1; last >= 0; last--) {
            // an ASCII character that is not the last one
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
