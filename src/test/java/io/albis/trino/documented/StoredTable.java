package io.albis.trino.documented;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.slice.Slices;
import io.albis.format.metadata.ColumnGroupMetadata;
import io.albis.format.metadata.MetadataCodec;
import io.albis.format.metadata.StoredColumn;
import io.trino.filesystem.Location;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getLast;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files of a table, found and read as docs/format.md describes them, and described in its words.
 *
 * @param entry body of the last live entry of the name
 * @param marked whether that entry has a marker
 * @param ended whether a tombstone follows that entry
 * @param folder folder of the table
 * @param version body of the newest version
 */
record StoredTable(JsonNode entry, boolean marked, boolean ended, Path folder, JsonNode version)
{
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ABSOLUTE = "local:///";
    private static final Set<String> COLUMN_FEATURES = ImmutableSet.of("initial-values", "widened-columns", "changed-fields", "column-defaults", "partitions");

    /**
     * Finds a table by its name.
     *
     * @param root the folder that {@code local.location} names
     */
    static StoredTable find(Path root, String schema, String table)
            throws IOException
    {
        Path warehouse = root.resolve("warehouse");
        List<Path> log = list(warehouse.resolve(schema).resolve("tables").resolve(table));
        boolean ended = log.size() % 2 == 0;
        Path live = log.get(log.size() - (ended ? 2 : 1));
        JsonNode entry = body(live);
        boolean marked = Files.exists(live.resolveSibling(live.getFileName().toString().replace(".json", ".view")));
        String path = entry.get("folder").get("path").asText();
        Path folder = path.startsWith(ABSOLUTE) ? root.resolve(path.substring(ABSOLUTE.length())) : warehouse.resolve(path);
        JsonNode version = body(getLast(list(folder.resolve("versions"))));
        return new StoredTable(entry, marked, ended, folder, version);
    }

    /**
     * Returns the body of the last entry of a schema.
     */
    static JsonNode schema(Path root, String schema)
            throws IOException
    {
        return body(getLast(list(root.resolve("warehouse").resolve(schema).resolve(".schema"))));
    }

    private static List<Path> list(Path folder)
            throws IOException
    {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches("[0-9]{20}\\.json")).sorted().collect(toImmutableList());
        }
    }

    private static JsonNode body(Path file)
            throws IOException
    {
        return JSON.readTree(Files.readAllBytes(file)).get("body");
    }

    /**
     * Describes the chunks of all columns.
     */
    String chunks()
            throws IOException
    {
        ImmutableList.Builder<String> descriptions = ImmutableList.builder();
        for (StoredManifest manifest : manifests()) {
            for (UUID columnGroup : manifest.columnGroups()) {
                ColumnGroupMetadata metadata = metadata(columnGroup);
                if (!metadata.rowColumns().isEmpty()) {
                    // one chunk has all scalar columns
                    List<String> names = metadata.rowColumns().stream().map(column -> "`" + name(column.id()) + "`").collect(toImmutableList());
                    descriptions.add(String.join(", ", names) + " " + ChunkDescription.describe(metadata, metadata.columns().indexOf(metadata.rowColumns().getFirst())));
                }
                for (int column = 0; column < metadata.columns().size(); column++) {
                    StoredColumn stored = metadata.columns().get(column);
                    if (metadata.rowColumns().contains(stored)) {
                        continue;
                    }
                    String prefix = version.get("columns").size() == 1 ? "" : "`" + name(stored.id()) + "` ";
                    descriptions.add(prefix + ChunkDescription.describe(metadata, column));
                }
            }
        }
        return String.join(". ", descriptions.build());
    }

    /**
     * Describes the sketches of all manifests by their first bytes.
     */
    String sketches()
            throws IOException
    {
        ImmutableList.Builder<String> descriptions = ImmutableList.builder();
        for (StoredManifest manifest : manifests()) {
            manifest.sketches().forEach(sketch -> descriptions.add("sketch of the form " + sketch.form()));
        }
        return String.join(", ", descriptions.build());
    }

    /**
     * Describes the newest version, its manifests, and the entry that refers to it.
     */
    String state()
            throws IOException
    {
        List<String> words = new ArrayList<>();
        words.add("version " + version.get("version").asInt());
        words.add("`" + version.get("operation").asText() + "`");
        if (!version.has("name")) {
            words.add("no `name`");
        }
        if (version.has("writerFeatures") && version.get("writerFeatures").toString().contains("\"unregistered\"")) {
            words.add("`unregistered`");
        }
        if (version.has("warehouse")) {
            words.add("`warehouse`");
        }
        if (version.get("explicitLocation").asBoolean()) {
            words.add("`explicitLocation`");
        }
        if (entry.has("renamedFrom")) {
            words.add("`renamedFrom`");
        }
        if (version.has("view")) {
            words.add(version.get("view").has("materialized") ? "`materialized`" : "`view`");
        }
        if (marked) {
            assertThat(entry.get("kind").asText()).isEqualTo(version.get("view").has("materialized") ? "materialized-view" : "view");
            words.add("marker");
        }
        if (ended) {
            words.add("tombstone");
        }
        if (version.has("tags")) {
            words.add("`tags`: " + version.get("tags").size());
        }
        if (version.has("expired")) {
            words.add(expired());
        }
        int sketchManifests = 0;
        for (JsonNode manifest : version.get("manifests")) {
            sketchManifests += manifest.has("sketchManifest") ? 1 : 0;
        }
        words.add("manifests: " + version.get("manifests").size());
        if (sketchManifests > 0) {
            words.add("with `sketchManifest`: " + sketchManifests);
        }
        int superseded = manifests().stream().mapToInt(StoredManifest::supersededColumns).sum();
        if (superseded > 0) {
            words.add("superseded: " + superseded);
        }
        words.addAll(DeletesDescription.describe(folder, version, manifests()));
        words.addAll(columnFeatures());
        return String.join(", ", words);
    }

    /**
     * Returns the features of readers and writers that the version has because of its columns.
     */
    private List<String> columnFeatures()
    {
        return Stream.of("features", "writerFeatures")
                .flatMap(member -> version.get(member).valueStream())
                .map(JsonNode::asText)
                .filter(COLUMN_FEATURES::contains)
                .map("`%s`"::formatted)
                .collect(toImmutableList());
    }

    /**
     * Describes which versions have expired, and counts the stubs, which are in the places of other versions.
     */
    private String expired()
            throws IOException
    {
        JsonNode expired = version.get("expired");
        int stubs = 0;
        for (Path file : list(folder.resolve("versions"))) {
            JsonNode json = JSON.readTree(Files.readAllBytes(file));
            if (json.get("albis").get("kind").asText().equals("expired-version")) {
                assertThat(json.get("body").get("uuid")).isEqualTo(version.get("uuid"));
                stubs++;
            }
        }
        String except = expired.has("except") ? ", `except` " + join(expired.get("except")) : "";
        return "`expired`: `before` " + expired.get("before").asLong() + except + ", stubs: " + stubs;
    }

    private static String join(JsonNode numbers)
    {
        return numbers.valueStream().map(JsonNode::asText).collect(joining(" "));
    }

    List<StoredManifest> manifests()
            throws IOException
    {
        ImmutableList.Builder<StoredManifest> manifests = ImmutableList.builder();
        for (JsonNode manifest : version.get("manifests")) {
            manifests.add(StoredManifest.read(folder.resolve("manifests").resolve(manifest.get("id").asText())));
        }
        return manifests.build();
    }

    private ColumnGroupMetadata metadata(UUID columnGroup)
            throws IOException
    {
        try (Stream<Path> files = Files.walk(folder)) {
            Path file = files.filter(path -> path.endsWith("cg-" + columnGroup + "/metadata")).findFirst().orElseThrow();
            return MetadataCodec.decode(Location.of("local://" + file), Optional.of(columnGroup), Slices.wrappedBuffer(Files.readAllBytes(file)));
        }
    }

    private String name(int columnId)
    {
        for (JsonNode column : version.get("columns")) {
            if (column.get("id").asInt() == columnId) {
                return column.get("name").asText();
            }
        }
        throw new IllegalStateException("no column " + columnId);
    }
}
