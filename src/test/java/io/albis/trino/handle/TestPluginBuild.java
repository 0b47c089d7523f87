package io.albis.trino.handle;

import com.google.common.collect.ImmutableList;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.json.JsonMapperProvider;
import io.airlift.units.Duration;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.format.schema.ElementAccess;
import io.albis.format.schema.InitialValue;
import io.albis.format.type.FieldIds;
import io.albis.format.write.WriterOptions;
import io.albis.table.model.PartitionField;
import io.albis.trino.handle.BucketPartitioning.Buckets;
import io.albis.trino.maintenance.MaintenanceFunctionHandle;
import io.albis.trino.maintenance.MaintenanceRow;
import io.albis.trino.maintenance.MaintenanceSplit;
import io.albis.trino.procedure.AlbisTableExecuteHandle;
import io.albis.trino.procedure.ExpireSnapshotsHandle;
import io.albis.trino.procedure.RemoveOrphanFilesHandle;
import io.trino.block.BlockJsonSerde;
import io.trino.plugin.base.TypeDeserializer;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.RetryMode;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.expression.Call;
import io.trino.spi.expression.Constant;
import io.trino.spi.expression.Variable;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import static com.google.common.base.Throwables.getRootCause;
import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.table.model.PartitionTransform.BUCKET;
import static io.trino.metadata.InternalBlockEncodingSerde.TESTING_BLOCK_ENCODING_SERDE;
import static io.trino.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static io.trino.spi.expression.StandardFunctions.LIKE_FUNCTION_NAME;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

final class TestPluginBuild
{
    private static final JsonCodecFactory CODECS = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(Map.of(
                    Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER),
                    Block.class, new BlockJsonSerde.Deserializer(TESTING_BLOCK_ENCODING_SERDE)))
            .withJsonSerializers(Map.of(Block.class, new BlockJsonSerde.Serializer(TESTING_BLOCK_ENCODING_SERDE))));
    private static final String OTHER = "0123456789abcdef";

    @Test
    void testHandlesOfThisBuild()
    {
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle());
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().asChosen());
        assertRoundTrip(CODECS.jsonCodec(AlbisTableExecuteHandle.class), new AlbisTableExecuteHandle(tableHandle(), "CREATE_TAG", Optional.of(7L), Optional.of("x")));
        assertRoundTrip(CODECS.jsonCodec(ExpireSnapshotsHandle.class), new ExpireSnapshotsHandle(tableHandle(), Duration.valueOf("7.004d"), 2));
        assertRoundTrip(CODECS.jsonCodec(RemoveOrphanFilesHandle.class), new RemoveOrphanFilesHandle(tableHandle(), Duration.valueOf("0.004d")));
        assertRoundTrip(CODECS.jsonCodec(MaintenanceFunctionHandle.class), new MaintenanceFunctionHandle(MaintenanceFunctionHandle.Kind.VACUUM_CANDIDATES, Optional.of("local:///x"), Optional.of(7L)));
        assertRoundTrip(CODECS.jsonCodec(MaintenanceSplit.class), maintenanceSplit());
        assertRoundTrip(CODECS.jsonCodec(AnswerSplit.class), new AnswerSplit(7));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withLimit(OptionalLong.of(7)));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withTopN(Optional.of(new TopN(7, List.of(new TopN.Key(new AlbisColumnHandle(1, "a", BIGINT), SortOrder.DESC_NULLS_LAST), new TopN.Key(new AlbisColumnHandle(2, "b", VARCHAR), SortOrder.ASC_NULLS_FIRST)), true))));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withSample(OptionalDouble.of(0.1)));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withIndexed(Set.of(1)).withBounded(Set.of(2, 3)));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withAnswer(new MetadataAnswer(List.of("count(*)", "max(a)"), 3), Set.of(4)));
        List<List<NullableValue>> rows = List.of(List.of(NullableValue.of(BIGINT, 7L), NullableValue.asNull(VARCHAR)), List.of(NullableValue.asNull(BIGINT), NullableValue.of(VARCHAR, utf8Slice("é"))));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withAnswer(new MetadataAnswer(List.of("max(a)"), List.of(new AnswerColumnHandle(0, "b", BIGINT), new AnswerColumnHandle(1, "max(a)", VARCHAR)), 3, rows), Set.of(4)));
        assertRoundTrip(CODECS.jsonCodec(AnswerColumnHandle.class), new AnswerColumnHandle(1, "max(a)", BIGINT));
        assertRoundTrip(CODECS.jsonCodec(AlbisSplit.class), split());
        assertRoundTrip(CODECS.jsonCodec(AlbisWritableTableHandle.class), writableHandle());
        assertRoundTrip(CODECS.jsonCodec(IndexHandle.class), new IndexHandle(tableHandle(), writableHandle(), Set.of(1), true, RetryMode.NO_RETRIES));
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withIndexed(Set.of(4, 7)));
        AlbisColumnHandle text = new AlbisColumnHandle(2, "b", VARCHAR);
        ColumnExpression like = new ColumnExpression(text, new Call(BOOLEAN, LIKE_FUNCTION_NAME, List.of(new Variable(ColumnExpression.VARIABLE, VARCHAR), new Constant(utf8Slice("%x%"), VARCHAR))));
        Alternatives.Branch number = new Alternatives.Branch(TupleDomain.withColumnDomains(Map.of(new AlbisColumnHandle(1, "a", BIGINT), Domain.singleValue(BIGINT, 7L))), Set.of());
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withTests(new RowTests(Set.of(like), Set.of(new Alternatives(Set.of(number, new Alternatives.Branch(TupleDomain.all(), Set.of(like))))))));
        BucketPartitioning partitioning = new BucketPartitioning(List.of(new Buckets(BIGINT, 8), new Buckets(VARCHAR, 3)));
        assertRoundTrip(CODECS.jsonCodec(BucketPartitioning.class), partitioning);
        assertRoundTrip(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle().withBuckets(Optional.of(new ScanBuckets(
                partitioning,
                List.of(new AlbisColumnHandle(1, "a", BIGINT), new AlbisColumnHandle(2, "b", VARCHAR)),
                List.of(new PartitionField(1, BUCKET, 16), new PartitionField(2, BUCKET, 3))))));
        assertRoundTrip(CODECS.jsonCodec(AlbisSplit.class), split().withBucket(7));
        assertRoundTrip(CODECS.jsonCodec(AlbisTransactionHandle.class), new AlbisTransactionHandle(UUID.randomUUID()));
        assertRoundTrip(CODECS.jsonCodec(AlbisColumnHandle.class), new AlbisColumnHandle(1, "a", BIGINT));
        assertRoundTrip(CODECS.jsonCodec(AlbisColumnHandle.class), new AlbisColumnHandle(1, "a", BIGINT, Optional.of(InitialValue.of(BIGINT, 7L)), FieldIds.NONE));
        assertRoundTrip(CODECS.jsonCodec(AlbisColumnHandle.class), new AlbisColumnHandle(1, "a.b", BIGINT, Optional.empty(), new FieldIds(List.of(4, 1)), List.of(2, 7), Optional.empty()));
        AlbisColumnHandle map = new AlbisColumnHandle(1, "m", new MapType(VARCHAR, BIGINT, new TypeOperators()));
        assertRoundTrip(CODECS.jsonCodec(AlbisColumnHandle.class), map.elements(ElementAccess.mapValue(VARCHAR, utf8Slice("it's"))));
        assertThat(map.elements(ElementAccess.mapEntry(VARCHAR, utf8Slice("it's"))).name()).isEqualTo("m['it''s']");
    }

    @Test
    void testHandlesOfAnotherBuild()
    {
        assertRefused(CODECS.jsonCodec(AlbisTableHandle.class), tableHandle());
        assertRefused(CODECS.jsonCodec(AlbisTableExecuteHandle.class), new AlbisTableExecuteHandle(tableHandle(), "DROP_TAG", Optional.empty(), Optional.of("x")));
        assertRefused(CODECS.jsonCodec(ExpireSnapshotsHandle.class), new ExpireSnapshotsHandle(tableHandle(), Duration.valueOf("7d"), 2));
        assertRefused(CODECS.jsonCodec(RemoveOrphanFilesHandle.class), new RemoveOrphanFilesHandle(tableHandle(), Duration.valueOf("7d")));
        assertRefused(CODECS.jsonCodec(MaintenanceFunctionHandle.class), new MaintenanceFunctionHandle(MaintenanceFunctionHandle.Kind.FIND_LOST_TABLES, Optional.empty(), Optional.empty()));
        assertRefused(CODECS.jsonCodec(MaintenanceSplit.class), maintenanceSplit());
        assertRefused(CODECS.jsonCodec(AlbisSplit.class), split());
        assertRefused(CODECS.jsonCodec(AnswerSplit.class), new AnswerSplit(7));
        assertRefused(CODECS.jsonCodec(AlbisWritableTableHandle.class), writableHandle());
        assertRefused(CODECS.jsonCodec(IndexHandle.class), new IndexHandle(tableHandle(), writableHandle(), Set.of(1), false, RetryMode.RETRIES_ENABLED));
        assertRefused(CODECS.jsonCodec(BucketPartitioning.class), new BucketPartitioning(List.of(new Buckets(BIGINT, 8))));
        assertRefused(CODECS.jsonCodec(AlbisTransactionHandle.class), new AlbisTransactionHandle(UUID.randomUUID()));
    }

    @Test
    void testHash(@TempDir Path folder)
            throws IOException
    {
        Path jar = folder.resolve("plugin.jar");
        writeJar(jar, "abc", "code", "4711");
        PluginBuild build = PluginBuild.ofJar(jar, "worker-1");
        assertThat(build.toString()).isEqualTo(build.id() + " (commit 4711) on worker-1");
        assertThat(build.id()).matches("[0-9a-f]{16}");
        assertThat(build.id().equals(PluginBuild.CURRENT.id())).isFalse();

        // The same code from the same build
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve("io/albis/trino"));
        Files.writeString(classes.resolve("io/albis/trino/abc.class"), "code");
        Files.writeString(classes.resolve("io/albis/notes.txt"), "no code");
        assertThat(PluginBuild.hash(classes)).isEqualTo(build.id());

        // Modified code without a commit
        writeJar(jar, "abc", "Code", "4711");
        assertThat(PluginBuild.ofJar(jar, "worker-1").id()).isNotEqualTo(build.id());
        writeJar(jar, "abd", "code", "4711");
        assertThat(PluginBuild.ofJar(jar, "worker-1").id()).isNotEqualTo(build.id());

        // Built from a source archive
        writeJar(jar, "abc", "code", "${git.commit.id}");
        assertThat(PluginBuild.ofJar(jar, "worker-1").toString()).isEqualTo(build.id() + " on worker-1");
    }

    @Test
    void testCurrent()
    {
        assertThat(PluginBuild.CURRENT.id()).matches("[0-9a-f]{16}");
    }

    @Test
    void testNodeThatDoesNotKnowItsBuild()
    {
        assertThat(catchThrowable(() -> HandleBuild.check("unknown on worker-1")))
                .isInstanceOf(TrinoException.class)
                .hasMessageStartingWith("A node of this cluster could not read the classes of its Albis plugin")
                .hasMessageContaining(PluginBuild.CURRENT + " received a handle from build unknown on worker-1")
                .hasMessageContaining("log");
        assertThat(catchThrowable(() -> HandleBuild.check("unknown"))).isInstanceOf(TrinoException.class);
    }

    private static <T> void assertRoundTrip(JsonCodec<T> codec, T handle)
    {
        assertThat(codec.fromJson(codec.toJson(handle))).isEqualTo(handle);
    }

    private static <T> void assertRefused(JsonCodec<T> codec, T handle)
    {
        String json = codec.toJson(handle);
        // The build must be the first property, so that it is checked before other properties that may have changed
        assertThat(json.replaceAll("\\s", "")).startsWith("{\"build\":\"" + PluginBuild.CURRENT.id());
        assertMismatch(codec, json.replace(PluginBuild.CURRENT.id(), OTHER));
        // The build is checked even if the rest of the JSON is invalid
        assertMismatch(codec, "{\"build\": \"%s (commit 4711) on coordinator-1\", \"rowGroup\": 1, \"version\": \"one\", \"columns\": {}, \"id\": []}".formatted(OTHER));
        // From an older plugin, which sends no build
        assertMismatch(codec, json.replaceFirst("\"build\"", "\"other\""));
    }

    private static void assertMismatch(JsonCodec<?> codec, String json)
    {
        // The response of a worker to the coordinator contains the message of the root cause
        Throwable root = getRootCause(catchThrowable(() -> codec.fromJson(json)));
        assertThat(root).isInstanceOf(TrinoException.class)
                .hasMessageStartingWith("The nodes of this cluster have different builds of the Albis plugin: build " + PluginBuild.CURRENT)
                .hasMessageContaining("Stop all nodes");
        assertThat(((TrinoException) root).getErrorCode()).isEqualTo(CONFIGURATION_INVALID.toErrorCode());
        if (json.contains(OTHER) && !json.contains("\"other\"")) {
            assertThat(root).hasMessageContaining(OTHER);
        }
    }

    private static AlbisTableHandle tableHandle()
    {
        return new AlbisTableHandle("s", "t", UUID.randomUUID(), "memory:///t", 1, TupleDomain.all(), TupleDomain.all());
    }

    private static MaintenanceSplit maintenanceSplit()
    {
        return new MaintenanceSplit(List.of(new MaintenanceRow("local:///x", Optional.of("s"), Optional.empty(), "lost", Optional.of(1L), Optional.of(2L), Optional.empty(), Optional.of(3L), Optional.of(4L))));
    }

    private static AlbisSplit split()
    {
        return new AlbisSplit(new RowGroup(UUID.randomUUID(), 10, ImmutableList.of(), ImmutableList.of()), SegmentShare.ALL, 1, ImmutableList.of());
    }

    private static AlbisWritableTableHandle writableHandle()
    {
        return new AlbisWritableTableHandle(
                HandleBuild.CURRENT,
                "s",
                "t",
                UUID.randomUUID(),
                WriteId.random(),
                "memory:///t",
                ImmutableList.of(),
                ImmutableList.of(),
                WriterOptions.DEFAULTS,
                ImmutableList.of(),
                ImmutableList.of());
    }

    private static void writeJar(Path jar, String className, String code, String commit)
            throws IOException
    {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Git-Commit-Id", commit);
        try (OutputStream output = Files.newOutputStream(jar); JarOutputStream entries = new JarOutputStream(output, manifest)) {
            entries.putNextEntry(new JarEntry("io/albis/trino/" + className + ".class"));
            entries.write(code.getBytes(UTF_8));
            entries.closeEntry();
        }
    }
}
