package io.albis.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The hex dumps of files in docs/format.md: a line for each 16 bytes, which begins with their offset.
 */
public final class DocumentedDump
{
    private static final Path DOCUMENT = Path.of("docs/format.md");
    private static final int LINE_BYTES = 16;
    private static final int OFFSET_LENGTH = 6;

    private DocumentedDump() {}

    /**
     * Returns the dump that follows a comment with the title of the example.
     */
    public static String documented(String title)
            throws IOException
    {
        Matcher matcher = Pattern.compile("<!-- example: " + Pattern.quote(title) + " -->\n```\n(?<dump>.*?)```\n", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
        assertThat(matcher.find()).as("docs/format.md has a dump of the file %s", title).isTrue();
        return matcher.group("dump");
    }

    /**
     * Returns the dump of a file.
     */
    public static String dump(byte[] bytes)
    {
        StringBuilder dump = new StringBuilder();
        for (int offset = 0; offset < bytes.length; offset += LINE_BYTES) {
            int end = Math.min(offset + LINE_BYTES, bytes.length);
            dump.append("%04x  %s\n".formatted(offset, HexFormat.ofDelimiter(" ").formatHex(bytes, offset, end)));
        }
        return dump.toString();
    }

    /**
     * Returns the bytes of a dump.
     */
    public static byte[] parse(String dump)
    {
        StringBuilder hex = new StringBuilder();
        dump.lines().forEach(line -> hex.append(line.substring(OFFSET_LENGTH).replace(" ", "")));
        return HexFormat.of().parseHex(hex);
    }
}
