package io.albis.fuzz;

import io.albis.table.json.JsonFrame;
import io.albis.table.json.JsonKind;

import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * The body of a JSON file, which need not be valid. The header and the name of a file repeat some of its members.
 */
final class JsonText
{
    private static final UUID ANY = new UUID(0x4000, 1);

    private final byte[] body;

    JsonText(byte[] body)
    {
        this.body = body;
    }

    /**
     * Returns the first member with a name that is an id, or any id if there is none.
     */
    UUID id(String name)
    {
        Matcher matcher = matcher("\"%s\":\"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})\"".formatted(name));
        return matcher.find() ? UUID.fromString(matcher.group(1)) : ANY;
    }

    /**
     * Returns the first member with a name that is a positive number, or 1 if there is none.
     */
    long number(String name)
    {
        Matcher matcher = matcher("\"%s\":([1-9]\\d{0,17})".formatted(name));
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 1;
    }

    private Matcher matcher(String pattern)
    {
        return Pattern.compile(pattern).matcher(new String(body, ISO_8859_1));
    }

    byte[] toFile(JsonKind kind, UUID id)
    {
        return JsonFrame.frame(kind, id, kind.formatVersion(), body);
    }
}
