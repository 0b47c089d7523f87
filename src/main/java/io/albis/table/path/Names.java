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
 * Validates the names of schemas and tables, and encodes them as file names. Every UTF-8 byte that is not one of
 * {@code a-z 0-9 _ -} is encoded as {@code %} and two upper-case hex digits. Such file names are valid and distinct on
 * HDFS, in object stores, and on local file systems, including those that ignore case.
 */
public final class Names
{
    /**
     * The maximum length of an encoded name in bytes. File systems allow 255 bytes for a file name, including the
     * suffix.
     */
    static final int MAX_ENCODED_LENGTH = 240;

    // Trino adds these schemas to every catalog
    private static final Set<String> RESERVED_SCHEMAS = ImmutableSet.of("information_schema", "system");
    private static final String ALLOWED = "Names can have up to " + MAX_ENCODED_LENGTH + " characters of a-z, 0-9, _, and -. " +
            "Any other printable character counts as 3 for each byte of its UTF-8 encoding. Upper-case letters are not allowed";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private Names() {}

    /**
     * Checks that a schema can have a name.
     *
     * @throws TableException INVALID_NAME if it cannot
     */
    public static void checkSchemaName(String name)
    {
        check("schema", name);
        if (RESERVED_SCHEMAS.contains(name)) {
            throw new TableException(INVALID_NAME, "Schema name '%s' is reserved. The reserved names are %s", name, String.join(" and ", RESERVED_SCHEMAS));
        }
    }

    /**
     * Checks that a table can have a name.
     *
     * @throws TableException INVALID_NAME if it cannot
     */
    public static void checkTableName(String name)
    {
        check("table", name);
        if (name.contains("$")) {
            throw new TableException(INVALID_NAME, "Table name '%s' contains $, which is reserved for metadata tables. %s", name, ALLOWED);
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
            throw new TableException(INVALID_NAME, "The name of a %s is too long: '%s' has an encoded length of %s characters. %s", what, name, length, ALLOWED);
        }
    }

    /**
     * Returns whether an object of this name can exist in a warehouse. A name that is not possible needs no lookup.
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
     * Decodes a file name.
     *
     * @return the name; empty if {@link #encode} never returns this file name, so the file is not one of Albis
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
