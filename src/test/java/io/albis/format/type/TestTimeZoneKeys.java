package io.albis.format.type;

import com.google.common.base.Splitter;
import io.trino.spi.type.TimeZoneKey;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static io.trino.spi.type.TimeZoneKey.getTimeZoneKeyForOffset;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the list of docs/time-zone-keys.md with Trino's keys.
 */
class TestTimeZoneKeys
{
    private static final Path DOCUMENT = Path.of("docs/time-zone-keys.md");
    private static final int FIRST_REGION = 1681;

    @Test
    void testRegions()
            throws IOException
    {
        String page = Files.readString(DOCUMENT, UTF_8);
        int start = page.indexOf("```\n") + 4;
        Map<Integer, String> documented = new TreeMap<>();
        for (String line : Splitter.on('\n').omitEmptyStrings().split(page.substring(start, page.indexOf("```", start)))) {
            List<String> parts = Splitter.on(' ').splitToList(line);
            assertThat(parts).hasSize(2);
            documented.put(Integer.parseInt(parts.get(0)), parts.get(1));
        }
        Map<Integer, String> expected = new TreeMap<>();
        for (TimeZoneKey key : TimeZoneKey.getTimeZoneKeys()) {
            if (key.getKey() >= FIRST_REGION) {
                expected.put((int) key.getKey(), key.getId());
            }
        }
        assertThat(documented).isEqualTo(expected);
        // A key has 12 bits
        assertThat(TimeZoneKey.MAX_TIME_ZONE_KEY).isLessThan((short) (1 << 12));
    }

    @Test
    void testOffsets()
    {
        assertThat(TimeZoneKey.UTC_KEY.getKey()).isEqualTo((short) 0);
        assertThat(TimeZoneKey.UTC_KEY.getId()).isEqualTo("UTC");
        for (int minutes = -840; minutes <= 840; minutes++) {
            if (minutes != 0) {
                int key = minutes < 0 ? minutes + 841 : minutes + 840;
                assertThat((int) getTimeZoneKeyForOffset(minutes).getKey()).isEqualTo(key);
            }
        }
        assertThat(getTimeZoneKeyForOffset(0)).isEqualTo(TimeZoneKey.UTC_KEY);
    }
}
