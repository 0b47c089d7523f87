package io.albis.launcher.server;

import java.io.IOException;
import java.util.Map;

import static java.nio.file.Files.readString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads marked code blocks of the documentation, so that tests use exactly what users read.
 */
final class DocumentedBlocks
{
    private DocumentedBlocks() {}

    static String text(String page, String marker, String language)
            throws IOException
    {
        String text = readString(Installation.current().repository().resolve(page));
        String begin = "<!-- %s -->\n```%s\n".formatted(marker, language);
        assertThat(text).containsOnlyOnce(begin);
        int start = text.indexOf(begin) + begin.length();
        return text.substring(start, text.indexOf("```", start));
    }

    static Map<String, String> properties(String page, String marker)
            throws IOException
    {
        return new PropertiesText(text(page, marker, "properties")).properties();
    }
}
