package io.albis.format.type;

import io.airlift.slice.Slices;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.LocalDate;
import java.util.List;
import java.util.Random;

import static io.trino.spi.type.CharType.createCharType;
import static io.trino.spi.type.Chars.padSpaces;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.TimeType.createTimeType;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.spi.type.VarcharType.createVarcharType;
import static io.trino.type.IpAddressType.IPADDRESS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Values are never changed silently.
 */
final class TestJavaValues
{
    // The name of a test must not contain control characters
    @ParameterizedTest(name = "{index}")
    @ValueSource(chars = {'\t', '\n', '\r', '\u000B', '\f', '\u001C', '\u2003', '\u2028', '\u3000', '\0', '\u0085', '\u00A0'})
    void testCharKeepsAllButSpaces(char space)
    {
        Type type = createCharType(3);
        for (String text : new String[] {"" + space, "a" + space, "ab" + space, space + "  ", "a" + space + " "}) {
            assertThat(JavaValues.fromNative(type, JavaValues.toNative(type, text))).as("U+%04X", (int) space).isEqualTo((text + "   ").substring(0, 3));
        }
        assertThatThrownBy(() -> JavaValues.toNative(type, "abc" + space)).as("U+%04X", (int) space)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A value of 4 characters is too long for char(3)");
    }

    @Test
    void testCharRemovesSpaces()
    {
        Type type = createCharType(3);
        assertThat(JavaValues.toNative(type, "abc     ")).isEqualTo(Slices.utf8Slice("abc"));
        assertThat(JavaValues.toNative(type, "    ")).isEqualTo(Slices.EMPTY_SLICE);
    }

    @Test
    void testRandomChars()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int length = 4;
        Type type = createCharType(length);
        int[] codePoints = {'a', ' ', ' ', '\t', '\n', 0, 0x2003, 0x1F4A9};
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            int count = random.nextInt(7);
            for (int i = 0; i < count; i++) {
                text.appendCodePoint(codePoints[random.nextInt(codePoints.length)]);
            }
            String value = text.toString();
            // as in Trino, only trailing spaces are padding
            String trimmed = value.replaceAll(" +\\z", "");
            if (trimmed.codePointCount(0, trimmed.length()) <= length) {
                assertThat(JavaValues.fromNative(type, JavaValues.toNative(type, value))).as("seed %s", seed)
                        .isEqualTo(padSpaces(Slices.utf8Slice(trimmed), length).toStringUtf8());
            }
            else {
                assertThatThrownBy(() -> JavaValues.toNative(type, value)).as("seed %s", seed).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is too long for char(4)");
            }
        }
    }

    static List<Type> textTypes()
    {
        return List.of(VARCHAR, createVarcharType(10), createCharType(10));
    }

    @ParameterizedTest
    @MethodSource("textTypes")
    void testHalfCharactersAreRefused(Type type)
    {
        // UTF-8 cannot represent an unpaired surrogate, which would become a question mark
        for (String text : new String[] {"\uD83D", "a\uD83Db", "\uDCA9\uD83D"}) {
            assertThatThrownBy(() -> JavaValues.toNative(type, text)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is not valid text");
        }
        assertThat(JavaValues.toNative(type, "\uD83D\uDCA9")).isEqualTo(Slices.utf8Slice("\uD83D\uDCA9"));
    }

    @Test
    void testRanges()
    {
        assertThatThrownBy(() -> JavaValues.toNative(DATE, LocalDate.MAX)).isInstanceOf(IllegalArgumentException.class).hasMessage("+999999999-12-31 is out of the range of date");
        assertThat(JavaValues.fromNative(DATE, JavaValues.toNative(DATE, LocalDate.ofEpochDay(Integer.MIN_VALUE)))).isEqualTo(LocalDate.ofEpochDay(Integer.MIN_VALUE));
        Type time = createTimeType(12);
        assertThatThrownBy(() -> JavaValues.toNative(time, -1L)).isInstanceOf(IllegalArgumentException.class).hasMessage("-1 is out of the range of time(12)");
        assertThatThrownBy(() -> JavaValues.toNative(time, 86_400_000_000_000_000L)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("is out of the range of time(12)");
        assertThatThrownBy(() -> JavaValues.toNative(IPADDRESS, Slices.allocate(4))).isInstanceOf(IllegalArgumentException.class).hasMessage("A value of type ipaddress must have 16 bytes, but has 4");
    }
}
