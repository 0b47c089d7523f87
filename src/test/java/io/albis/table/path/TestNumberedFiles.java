package io.albis.table.path;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Locale;

import static org.assertj.core.api.Assertions.assertThat;

final class TestNumberedFiles
{
    @Test
    void testNumbers()
    {
        for (long number : new long[] {1, 2, 10, Integer.MAX_VALUE, 1L << 60, (1L << 61) - 2}) {
            assertThat(NumberedFiles.number(NumberedFiles.fileName(number))).hasValue(number);
        }
        assertThat(NumberedFiles.fileName(7)).isEqualTo("00000000000000000007.json");
    }

    /**
     * The digits of some locales are others.
     */
    @Test
    void testLocales()
    {
        Locale locale = Locale.getDefault();
        Locale.setDefault(Locale.of("fa", "IR"));
        try {
            assertThat("%d".formatted(7)).isNotEqualTo("7");
            assertThat(NumberedFiles.fileName(7)).isEqualTo("00000000000000000007.json");
            assertThat(NumberedFiles.markerName(7)).isEqualTo("00000000000000000007.view");
            assertThat(NumberedFiles.renamedName(7)).isEqualTo("00000000000000000007.renamed");
        }
        finally {
            Locale.setDefault(locale);
        }
    }

    /**
     * These files are ignored.
     */
    @Test
    void testOtherNames()
    {
        for (long number : new long[] {0, (1L << 61) - 1, 1L << 61, Long.MAX_VALUE}) {
            assertThat(NumberedFiles.number(NumberedFiles.fileName(number))).as("%s", number).isEmpty();
        }
        for (String name : List.of("1.json", "99999999999999999999.json", "00000000000000000001", "00000000000000000001.JSON", "-0000000000000000001.json", "00000000000000000001.json.tmp", "hint")) {
            assertThat(NumberedFiles.number(name)).as(name).isEmpty();
        }
    }
}
