package io.albis.trino.pushdown;

import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.CharType;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.Chars.padSpaces;
import static io.trino.spi.type.Chars.trimTrailingSpaces;
import static org.assertj.core.api.Assertions.assertThat;

class TestCharRanges
{
    private static final int ROUNDS = 40_000;
    // Characters around the space, because CHAR values are padded with spaces
    private static final int[] CHARACTERS = {0, 1, 0x1F, ' ', ' ', ' ', '!', 'a', 'b', 0x7E, 0x7F, 0x80, 0xE9, 0xFFFF, 0x1F4A9, 0x10FFFF};

    @Test
    void testNeverTooFew()
    {
        long seed = new Random().nextLong();
        System.out.println("Ranges of CHAR by seed " + seed);
        Random random = new Random(seed);
        long checked = 0;
        for (int round = 0; round < ROUNDS; round++) {
            CharType type = createCharType(1 + random.nextInt(5));
            Slice value = trimTrailingSpaces(randomText(random, type.getLength()));
            Slice text = random.nextInt(3) == 0 ? similar(random, value) : randomText(random, 6);
            // The engine's default cast to varchar, and its cast with deprecated.legacy-varchar-to-char-coercion
            for (Slice cast : new Slice[] {value, padSpaces(value, type.getLength())}) {
                int comparison = cast.compareTo(text);
                checked += check(comparison == 0, CharRanges.equalTo(type, text), value, text);
                checked += check(comparison >= 0, CharRanges.atLeast(type, text), value, text);
                checked += check(comparison <= 0, CharRanges.atMost(type, text), value, text);
                checked += check(cast.length() >= text.length() && cast.slice(0, text.length()).equals(text), CharRanges.startingWith(type, text), value, text);
            }
        }
        assertThat(checked).isGreaterThan(ROUNDS);
    }

    private static int check(boolean matches, ValueSet values, Slice value, Slice text)
    {
        if (matches) {
            assertThat(values.containsValue(value)).as("%s for value '%s' and text '%s'", values, hex(value), hex(text)).isTrue();
        }
        return matches ? 1 : 0;
    }

    /**
     * Without control characters, and with the engine's default comparison, the ranges contain no other values.
     */
    @Test
    void testExact()
    {
        Random random = new Random(5);
        for (int round = 0; round < ROUNDS; round++) {
            CharType type = createCharType(1 + random.nextInt(5));
            Slice value = trimTrailingSpaces(plainText(random, type.getLength()));
            Slice text = trimTrailingSpaces(plainText(random, type.getLength()));
            assertThat(CharRanges.equalTo(type, text).containsValue(value)).isEqualTo(value.equals(text));
            assertThat(CharRanges.atLeast(type, text).containsValue(value)).isEqualTo(value.compareTo(text) >= 0);
            assertThat(CharRanges.atMost(type, text).containsValue(value)).isEqualTo(value.compareTo(text) <= 0);
            boolean startsWith = value.length() >= text.length() && value.slice(0, text.length()).equals(text);
            assertThat(CharRanges.startingWith(type, text).containsValue(value)).isEqualTo(startsWith);
        }
    }

    @Test
    void testImpossible()
    {
        assertThat(CharRanges.equalTo(createCharType(3), utf8Slice("abcd")).isNone()).isTrue();
        assertThat(CharRanges.equalTo(createCharType(3), utf8Slice("abc ")).isNone()).isFalse();
        assertThat(CharRanges.startingWith(createCharType(3), utf8Slice("abcd")).isNone()).isTrue();
        assertThat(CharRanges.atLeast(createCharType(65_536), utf8Slice("a")).isAll()).isTrue();
    }

    private static Slice randomText(Random random, int maxLength)
    {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
            text.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
        }
        return utf8Slice(text.toString());
    }

    private static Slice plainText(Random random, int maxLength)
    {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(maxLength + 1); i > 0; i--) {
            text.append(" !ab".charAt(random.nextInt(4)));
        }
        return utf8Slice(text.toString());
    }

    /**
     * Returns a prefix of the value with some text appended.
     */
    private static Slice similar(Random random, Slice value)
    {
        String text = value.toStringUtf8();
        int codePoints = text.codePointCount(0, text.length());
        String beginning = text.substring(0, text.offsetByCodePoints(0, random.nextInt(codePoints + 1)));
        return Slices.utf8Slice(beginning + randomText(random, 2).toStringUtf8());
    }

    private static String hex(Slice text)
    {
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            hex.append("%02x ".formatted(text.getUnsignedByte(i)));
        }
        return hex.toString();
    }
}
