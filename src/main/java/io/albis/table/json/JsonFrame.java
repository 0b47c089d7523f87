package io.albis.table.json;

import io.albis.format.io.AlbisDataException;
import io.trino.filesystem.Location;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32C;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * The frame around the body of every JSON file of a warehouse. The first line is a header that identifies the file, and
 * the last line has the CRC32C checksum of all bytes before that line. The whole file is one JSON object:
 * <pre>
 * {"albis":{"kind":"table-version","format":2,"id":"b7d3..."},
 * "body":{...},
 * "crc32c":"0a1b2c3d"}
 * </pre>
 * The first and the last line have the same structure in every format version, so that a reader can distinguish a newer
 * file from a damaged one. {@link JsonKind} defines the format versions of the bodies.
 */
public final class JsonFrame
{
    private static final String TRAILER_START = "\"crc32c\":\"";
    private static final String TRAILER_END = "\"}\n";
    private static final int TRAILER_LENGTH = TRAILER_START.length() + 2 * Integer.BYTES + TRAILER_END.length();

    private JsonFrame() {}

    /**
     * Returns the bytes of a file.
     *
     * @param body the body as a JSON value in UTF-8
     */
    public static byte[] frame(JsonKind kind, UUID id, int formatVersion, byte[] body)
    {
        byte[] start = "{\"albis\":{\"kind\":\"%s\",\"format\":%s,\"id\":\"%s\"},%n\"body\":"
                .replace("%n", "\n")
                .formatted(kind.label(), formatVersion, id)
                .getBytes(US_ASCII);
        int checked = start.length + body.length + 2;
        byte[] file = Arrays.copyOf(start, checked + TRAILER_LENGTH);
        System.arraycopy(body, 0, file, start.length, body.length);
        file[checked - 2] = ',';
        file[checked - 1] = '\n';
        System.arraycopy(trailer(file, checked), 0, file, checked, TRAILER_LENGTH);
        return file;
    }

    /**
     * Returns whether a file begins as one of a kind does. This verifies nothing else.
     */
    public static boolean hasKind(JsonKind kind, byte[] file)
    {
        byte[] start = "{\"albis\":{\"kind\":\"%s\",".formatted(kind.label()).getBytes(US_ASCII);
        return file.length >= start.length && Arrays.equals(start, 0, start.length, file, 0, start.length);
    }

    /**
     * Verifies the checksum, and thereby also the length of the file.
     *
     * @throws AlbisDataException if any byte differs from what was written, or if bytes are missing or added
     */
    static void checkChecksum(Location location, byte[] file)
            throws AlbisDataException
    {
        int checked = file.length - TRAILER_LENGTH;
        if (checked < 0 || !Arrays.equals(trailer(file, checked), 0, TRAILER_LENGTH, file, checked, file.length)) {
            throw damaged("Damaged Albis file %s: the checksum of its %s bytes does not match", location, file.length);
        }
    }

    private static byte[] trailer(byte[] file, int length)
    {
        CRC32C checksum = new CRC32C();
        checksum.update(file, 0, length);
        return (TRAILER_START + HexFormat.of().toHexDigits((int) checksum.getValue()) + TRAILER_END).getBytes(US_ASCII);
    }
}
