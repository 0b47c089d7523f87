package io.albis.table.path;

import io.albis.table.model.TableException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Locale;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static io.albis.table.path.Names.MAX_ENCODED_LENGTH;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestNames
{
    @Property
    void testEncodedNamesAreSafeAndRoundTrip(@ForAll @StringLength(min = 1, max = 80) String name)
    {
        if (!UTF_8.newEncoder().canEncode(name)) {
            return;
        }
        String encoded = Names.encode(name);
        assertThat(encoded).matches("([a-z0-9_-]|%[0-9A-F]{2})+");
        assertThat(Names.decode(encoded)).contains(name);
    }

    @Property
    void testWhatIsNoEncodedNameIsNotDecoded(@ForAll @CharRange(from = ' ', to = 'z') @StringLength(max = 12) String text)
    {
        Optional<String> name = Names.decode(text);
        name.ifPresent(decoded -> assertThat(Names.encode(decoded)).isEqualTo(text));
    }

    @Property
    void testAcceptedNamesFitAFileName(@ForAll @StringLength(max = 300) String text)
    {
        String name = text.toLowerCase(Locale.ENGLISH);
        try {
            Names.checkTableName(name);
        }
        catch (TableException e) {
            assertThat(e.reason()).isEqualTo(INVALID_NAME);
            return;
        }
        assertThat(Names.encode(name)).hasSizeLessThanOrEqualTo(255);
        assertThat(Names.decode(Names.encode(name))).contains(name);
    }

    @Test
    void testEncodesAllButPlainCharacters()
    {
        assertThat(Names.encode("a_table-1")).isEqualTo("a_table-1");
        assertThat(Names.encode("a table.x/y%")).isEqualTo("a%20table%2Ex%2Fy%25");
        assertThat(Names.encode("grün")).isEqualTo("gr%C3%BCn");
    }

    @Test
    void testRefusesOtherWaysToWriteAName()
    {
        assertThat(Names.decode("%61")).isEmpty();
        assertThat(Names.decode("%c3%bc")).isEmpty();
        assertThat(Names.decode("%C3")).isEmpty();
        assertThat(Names.decode("%2")).isEmpty();
        assertThat(Names.decode("%+1")).isEmpty();
        assertThat(Names.decode("A")).isEmpty();
        assertThat(Names.decode("")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "a\nb", "a\u0000", "Upper", "\ud800", "information_schema", "system"})
    void testRefusesSchemaNames(String name)
    {
        assertThatThrownBy(() -> Names.checkSchemaName(name))
                .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.reason()).isEqualTo(INVALID_NAME));
    }

    @Test
    void testRefusesReservedAndLongTableNames()
    {
        assertThatThrownBy(() -> Names.checkTableName("a$files"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("reserved");
        Names.checkTableName("x".repeat(MAX_ENCODED_LENGTH));
        assertThatThrownBy(() -> Names.checkTableName("x".repeat(MAX_ENCODED_LENGTH + 1)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("too long");
        Names.checkTableName("ü".repeat(MAX_ENCODED_LENGTH / 6));
        assertThatThrownBy(() -> Names.checkTableName("ü".repeat(MAX_ENCODED_LENGTH / 6 + 1)))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("too long");
    }
}
