package io.albis.table.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.google.common.base.Throwables;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.TooNewException;
import io.albis.format.type.TypeResolver;
import io.trino.filesystem.Location;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.Reason.TOO_NEW;
import static io.albis.format.io.AlbisDataException.Reason.TOO_OLD;
import static io.albis.format.io.AlbisDataException.damaged;
import static java.util.Objects.requireNonNull;

/**
 * Writes records as framed JSON files and reads them back. {@link JsonFrame} describes the frame.
 */
public final class JsonFiles
{
    // A member of every body in every format version; absent if no feature is needed
    private static final String FEATURES = "features";

    private final ObjectReader reader;
    private final ObjectWriter writer = JsonMappers.writer();

    public JsonFiles(TypeResolver types)
    {
        this.reader = JsonMappers.reader(requireNonNull(types, "types is null"));
    }

    /**
     * The content of a file.
     *
     * @param id id in the header of the file
     */
    public record Framed<T>(UUID id, T body) {}

    /**
     * Returns the bytes of a file in the current format version.
     */
    public byte[] write(JsonKind kind, UUID id, Object body)
    {
        return write(kind, id, kind.formatVersion(), body);
    }

    public byte[] write(JsonKind kind, UUID id, int formatVersion, Object body)
    {
        try {
            return JsonFrame.frame(kind, id, formatVersion, writer.writeValueAsBytes(body));
        }
        catch (JsonProcessingException e) {
            throw new IllegalArgumentException("Cannot serialize as JSON: " + body, e);
        }
    }

    /**
     * Decodes a file.
     *
     * @param location location of the file, for error messages
     * @param file all bytes of the file
     * @throws AlbisDataException if the file is damaged, has another kind, or has another format version
     */
    public <T> Framed<T> read(Location location, JsonKind kind, Class<T> type, byte[] file)
            throws AlbisDataException
    {
        JsonFrame.checkChecksum(location, file);
        JsonNode root = readTree(location, file);
        JsonNode header = root.path("albis");
        int format = header.path("format").asInt(0);
        if (!header.path("kind").asText().equals(kind.label())) {
            throw damaged("Damaged Albis file %s: it is not a file of kind %s", location, kind.label());
        }
        if (format > kind.formatVersion()) {
            throw new AlbisDataException(TOO_NEW, "Albis file %s has format version %s, but this version of Albis supports versions up to %s. Upgrade the Albis plugin", location, format, kind.formatVersion());
        }
        if (format < kind.minFormatVersion()) {
            throw new AlbisDataException(TOO_OLD, "Albis file %s has format version %s, which is no longer supported", location, format);
        }
        JsonNode body = root.path("body");
        checkFeatures(location, kind, body);
        return new Framed<>(id(location, header), bind(location, type, body));
    }

    private JsonNode readTree(Location location, byte[] file)
            throws AlbisDataException
    {
        try {
            return reader.readTree(new ByteArrayInputStream(file));
        }
        catch (IOException e) {
            throw damaged("Damaged Albis file %s: %s", location, e.getMessage());
        }
    }

    private static UUID id(Location location, JsonNode header)
            throws AlbisDataException
    {
        try {
            return UUID.fromString(header.path("id").asText());
        }
        catch (IllegalArgumentException e) {
            throw damaged("Damaged Albis file %s: it has no id", location);
        }
    }

    /**
     * Checks the features before the rest of the body, because an unknown feature may change the structure of the rest.
     */
    private static void checkFeatures(Location location, JsonKind kind, JsonNode body)
            throws AlbisDataException
    {
        for (JsonNode feature : body.path(FEATURES)) {
            if (!kind.knownFeatures().contains(feature.asText())) {
                throw new AlbisDataException(TOO_NEW, "Albis file %s uses the feature '%s', which this version of Albis does not support. Upgrade the Albis plugin", location, feature.asText());
            }
        }
    }

    private <T> T bind(Location location, Class<T> type, JsonNode body)
            throws AlbisDataException
    {
        try {
            T value = reader.treeToValue(body, type);
            return Optional.ofNullable(value).orElseThrow(() -> new IllegalArgumentException("it has no body"));
        }
        catch (JsonProcessingException | IllegalArgumentException e) {
            List<Throwable> causes = Throwables.getCausalChain(e);
            Optional<Throwable> unknownName = causes.stream()
                    .filter(JsonMappers.UnknownNameException.class::isInstance)
                    .findFirst();
            if (unknownName.isPresent()) {
                throw new AlbisDataException(TOO_NEW, "Albis file %s has %s, which this version of Albis does not support. Upgrade the Albis plugin", location, ((JsonMappers.UnknownNameException) unknownName.get()).what());
            }
            // the bounds of manifests are in a binary form
            Optional<Throwable> unknownCode = causes.stream()
                    .filter(TooNewException.class::isInstance)
                    .findFirst();
            if (unknownCode.isPresent()) {
                throw AlbisDataException.tooNew(location, (TooNewException) unknownCode.get());
            }
            throw damaged("Damaged Albis file %s: %s", location, causes.getLast().getMessage());
        }
    }
}
