package io.albis.fuzz;

import com.google.common.collect.ImmutableMap;
import io.albis.table.json.JsonKind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * All targets. Each has a method in {@link TestFuzzing}, whose name is also that of the folder with its corpus.
 */
enum FuzzTargets
{
    METADATA("testMetadata", new MetadataTarget()),
    ROW_GROUP("testRowGroup", new RowGroupTarget()),
    INDEX("testIndex", new IndexTarget()),
    DELETES("testDeletes", new DeletesTarget()),
    MANIFEST("testManifest", new ManifestTarget()),
    VERSION("testVersion", new VersionTarget()),
    TABLE_ENTRY("testTableEntry", new NameTarget(JsonKind.TABLE_NAME, "s/tables/t")),
    SCHEMA_ENTRY("testSchemaEntry", new NameTarget(JsonKind.SCHEMA, "s/.schema")),
    HINT("testHint", new SmallFileTarget(JsonKind.HINT)),
    EXPIRED_VERSION("testExpiredVersion", new SmallFileTarget(JsonKind.EXPIRED)),
    WAREHOUSE("testWarehouse", new SmallFileTarget(JsonKind.WAREHOUSE)),
    FOLDER("testFolder", new FolderTarget());

    // The convention of Jazzer, which adds inputs that violate the property

    private static final Path CORPUS = Path.of("src/test/resources/io/albis/fuzz/TestFuzzingInputs");

    private final String method;
    private final FuzzTarget target;

    FuzzTargets(String method, FuzzTarget target)
    {
        this.method = requireNonNull(method, "method is null");
        this.target = requireNonNull(target, "target is null");
    }

    /**
     * Returns the method in {@link TestFuzzing}.
     */
    String method()
    {
        return method;
    }

    FuzzTarget target()
    {
        return target;
    }

    /**
     * Checks the property for an input.
     *
     * @return whether the input was accepted
     */
    boolean check(byte[] input)
    {
        return FuzzCheck.read(target, input);
    }

    Path corpusFolder()
    {
        return CORPUS.resolve(method);
    }

    /**
     * Returns the committed inputs by name.
     */
    Map<String, byte[]> corpus()
            throws IOException
    {
        List<Path> files;
        try (Stream<Path> list = Files.list(corpusFolder())) {
            files = list.sorted().collect(toImmutableList());
        }
        ImmutableMap.Builder<String, byte[]> corpus = ImmutableMap.builder();
        for (Path file : files) {
            corpus.put(file.getFileName().toString(), Files.readAllBytes(file));
        }
        return corpus.buildOrThrow();
    }
}
