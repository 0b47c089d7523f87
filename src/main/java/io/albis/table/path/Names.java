package io.albis.table.path;

import com.google.common.collect.ImmutableSet;
import io.albis.table.model.TableException;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.INVALID_NAME;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Names of schemas and tables, as users write them and as files carry them: every byte of UTF-8 that is not one of
 * {@code a-z 0-9 _ -} becomes {@code %} and two upper-case hex digits. A file name made of these is the same on HDFS,
 * in object stores and on local file systems, those that ignore case included.
 */
public final class Names
{
    /**
     * Longest encoded name in bytes. File systems take 255 for a file name, of which the ending needs some.
     */
    static final int MAX_ENCODED_LENGTH = 240;

    // Trino adds these to every catalog
    private static final Set<String> RESERVED_SCHEMAS = ImmutableSet.of("information_schema", "system");
    private static final String ALLOWED = "Allowed are names of up to " + MAX_ENCODED_LENGTH + " characters of a-z, 0-9, _ and -; " +
            "any other printable character counts as 3 for each byte of UTF-8, upper-case letters are not allowed";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Names() {}

    /**
     * @throws TableException INVALID_NAME
     */
    public static void checkSchemaName(String name)
    {
        check("schema", name);
        if (RESERVED_SCHEMAS.contains(name)) {
            throw new TableException(INVALID_NAME, "Schema name '%s' is reserved; any but %s may be used", name, String.join(" and ", RESERVED_SCHEMAS));
        }
    }

    /**
     * @throws TableException INVALID_NAME
     */
    public static void checkTableName(String name)
    {
        check("table", name);
        if (name.contains("$")) {
            throw new TableException(INVALID_NAME, "Table name '%s' contains $, which is reserved for what the connector tells of a table. %s", name, ALLOWED);
        }
    }

    private static void check(String what, String name)
    {
        if (name.isEmpty() || name.isBlank()) {
            throw new TableException(INVALID_NAME, "The name of a %s cannot be empty. %s", what, ALLOWED);
        }
        if (name.equals(".") || name.equals("..")) {
            throw new TableException(INVALID_NAME, "The name of a %s cannot be '%s'. %s", what, name, ALLOWED);
        }
        if (name.chars().anyMatch(Character::isISOControl) || !UTF_8.newEncoder().canEncode(name)) {
            throw new TableException(INVALID_NAME, "The name of a %s cannot contain control characters. %s", what, ALLOWED);
        }
        if (!name.equals(name.toLowerCase(Locale.ENGLISH))) {
            throw new TableException(INVALID_NAME, "The name of a %s cannot contain upper-case letters: '%s'. %s", what, name, ALLOWED);
        }
        int length = encode(name).length();
        if (length > MAX_ENCODED_LENGTH) {
            throw new TableException(INVALID_NAME, "The name of a %s is too long: '%s' counts %s characters. %s", what, name, length, ALLOWED);
        }
    }

    /**
     * Whether {@code name} can be that of anything in a warehouse.
     */
    public static boolean isPossible(String name)
    {
        return !name.isEmpty() && name.length() <= MAX_ENCODED_LENGTH && encode(name).length() <= MAX_ENCODED_LENGTH;
    }

    static String encode(String name)
    {
        StringBuilder encoded = new StringBuilder(name.length() + 16);
        for (byte value : name.getBytes(UTF_8)) {
            if (isPlain(value)) {
                encoded.append((char) value);
            }
            else {
                encoded.append('%').append(HEX.toHexDigits(value));
            }
        }
        return encoded.toString();
    }

    /**
     * @return empty if {@link #encode} makes this of no name: somebody else put the file there
     */
    public static Optional<String> decode(String encoded)
    {
        ByteBuffer bytes = ByteBuffer.allocate(encoded.length());
        for (int i = 0; i < encoded.length(); i++) {
            char character = encoded.charAt(i);
            if (character < 0x80 && isPlain((byte) character)) {
                bytes.put((byte) character);
            }
            else if (character == '%' && i + 2 < encoded.length() && HexFormat.isHexDigit(encoded.charAt(i + 1)) && HexFormat.isHexDigit(encoded.charAt(i + 2))) {
                bytes.put((byte) HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 2;
            }
            else {
                return Optional.empty();
            }
        }
        try {
            String name = UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(bytes.flip())
                    .toString();
            return Optional.of(name).filter(decoded -> !decoded.isEmpty() && encode(decoded).equals(encoded));
        }
        catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(byte value)
    {
        return (value >= 'a' && value <= 'z') || (value >= '0' && value <= '9') || value == '_' || value == '-';
    }
}
