package io.albis.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The hex dumps of files in docs/format.md: a line for each 16 bytes, which begins with their offset. Of many equal
 * lines, only the first is shown, and a line with an asterisk stands for the others.
 */
public final class DocumentedDump
{
    private static final Path DOCUMENT = Path.of("docs/format.md");
    private static final int LINE_BYTES = 16;
    private static final int OFFSET_LENGTH = 6;
    private static final int MAX_EQUAL_LINES = 8;
    private static final String OTHERS = "*";

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
        List<String> lines = new ArrayList<>();
        for (int offset = 0; offset < bytes.length; offset += LINE_BYTES) {
            lines.add(HexFormat.ofDelimiter(" ").formatHex(bytes, offset, Math.min(offset + LINE_BYTES, bytes.length)));
        }
        StringBuilder dump = new StringBuilder();
        int line = 0;
        while (line < lines.size()) {
            int end = line + 1;
            while (end < lines.size() && lines.get(end).equals(lines.get(line))) {
                end++;
            }
            // the last line is always shown, so that the dump shows the length of the file
            boolean omitted = end - line > MAX_EQUAL_LINES && end < lines.size();
            for (int shown = line; shown < (omitted ? line + 1 : end); shown++) {
                dump.append("%04x  %s\n".formatted(shown * LINE_BYTES, lines.get(shown)));
            }
            if (omitted) {
                dump.append(OTHERS).append("\n");
            }
            line = end;
        }
        return dump.toString();
    }

    /**
     * Returns the bytes of a dump.
     */
    public static byte[] parse(String dump)
    {
        StringBuilder hex = new StringBuilder();
        String previous = "";
        for (String line : dump.lines().toList()) {
            if (line.equals(OTHERS)) {
                continue;
            }
            int digits = 2 * HexFormat.fromHexDigits(line.substring(0, OFFSET_LENGTH).strip());
            while (hex.length() < digits) {
                hex.append(previous);
            }
            assertThat(hex.length()).isEqualTo(digits);
            previous = line.substring(OFFSET_LENGTH).replace(" ", "");
            hex.append(previous);
        }
        return HexFormat.of().parseHex(hex);
    }
}
