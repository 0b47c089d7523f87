package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;
import io.airlift.json.JsonMapperProvider;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.block.BlockJsonSerde;
import io.trino.plugin.base.TypeDeserializer;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.ConstraintApplicationResult;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.slice.Slices.utf8Slice;
import static io.trino.metadata.InternalBlockEncodingSerde.TESTING_BLOCK_ENCODING_SERDE;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;

final class TestDomainCompaction
{
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(1, "id", BIGINT);
    private static final AlbisColumnHandle OTHER = new AlbisColumnHandle(2, "other", BIGINT);
    private static final JsonCodec<AlbisTableHandle> CODEC = new JsonCodecFactory(new JsonMapperProvider()
            .withJsonDeserializers(Map.of(
                    Type.class, new TypeDeserializer(TESTING_TYPE_MANAGER),
                    Block.class, new BlockJsonSerde.Deserializer(TESTING_BLOCK_ENCODING_SERDE)))
            .withJsonSerializers(Map.of(Block.class, new BlockJsonSerde.Serializer(TESTING_BLOCK_ENCODING_SERDE))))
            .jsonCodec(AlbisTableHandle.class);

    private final ConnectorSession session = TestingConnectorSession.builder()
            .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig()).getSessionProperties())
            .build();

    @Test
    void testContainsWhatWentIn()
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Type type = ImmutableList.of(BIGINT, DOUBLE, VARCHAR).get(random.nextInt(3));
            boolean negated = random.nextBoolean();
            List<Object> values = new ArrayList<>();
            for (int value = 0; value < 1 + random.nextInt(300); value++) {
                values.add(value(type, random));
            }
            ValueSet set = ValueSet.copyOf(type, values);
            Domain domain = Domain.create(negated ? set.complement() : set, random.nextBoolean());
            int maxRanges = 1 + random.nextInt(100);
            Domain compact = DomainCompaction.compact(domain, maxRanges);
            assertThat(compact.contains(domain)).as("seed %s, %s", seed, domain).isTrue();
            assertThat(compact.isNullAllowed()).as("seed %s", seed).isEqualTo(domain.isNullAllowed());
            assertThat(compact.getValues().getRanges().getRangeCount()).as("seed %s", seed).isLessThanOrEqualTo(maxRanges);
            assertThat(DomainCompaction.compact(compact, maxRanges)).as("seed %s", seed).isEqualTo(compact);
            if (domain.getValues().getRanges().getRangeCount() <= maxRanges) {
                assertThat(compact).as("seed %s", seed).isEqualTo(domain);
            }
        }
    }

    private static Object value(Type type, Random random)
    {
        if (type == BIGINT) {
            return random.nextLong();
        }
        if (type == DOUBLE) {
            return random.nextGaussian();
        }
        return utf8Slice(Long.toString(random.nextLong(), 36));
    }

    @Test
    void testRangesStayNarrow()
    {
        Domain domain = Domain.multipleValues(BIGINT, LongStream.range(0, 10_000).mapToObj(i -> i * 1000).collect(toImmutableList()));
        Domain compact = DomainCompaction.compact(domain, 1000);
        // Each range covers ten values, and the gaps between ranges are preserved
        assertThat(compact.getValues().getRanges().getRangeCount()).isEqualTo(1000);
        assertThat(compact.includesNullableValue(9500L)).isFalse();
        assertThat(compact.includesNullableValue(500L)).isTrue();
    }

    /**
     * The engine keeps the original of a predicate that was compacted. The handle, which is sent with each task, stays
     * small. When the optimizer applies the same predicate again, it learns that nothing changes.
     */
    @Test
    void testHandleIsSmall()
    {
        AlbisTableHandle table = new AlbisTableHandle("s", "t", UUID.randomUUID(), "memory:///t", 1, TupleDomain.all(), TupleDomain.all());
        TupleDomain<AlbisColumnHandle> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(
                ID, Domain.multipleValues(BIGINT, IntStream.range(0, 100_000).mapToObj(i -> (long) i * i).collect(toImmutableList())),
                OTHER, Domain.singleValue(BIGINT, 1L)));
        ConstraintApplicationResult<ConnectorTableHandle> result = apply(table, predicate);
        AlbisTableHandle handle = (AlbisTableHandle) result.getHandle();
        assertThat(result.getRemainingFilter()).isEqualTo(predicate);
        assertThat(handle.enforced().isAll()).isTrue();
        assertThat(handle.pruning().contains(predicate)).isTrue();
        String json = CODEC.toJson(handle);
        assertThat(json.length()).as("length of the handle").isLessThan(100_000);
        assertThat(CODEC.fromJson(json)).isEqualTo(handle);
        assertThat(FilterPushdown.applyFilter(session, handle, constraint(predicate), _ -> false)).isEmpty();

        // Without compaction, which the catalog configures, the handle is as large as the list
        ConnectorSession unlimited = TestingConnectorSession.builder()
                .setPropertyMetadata(new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig().setDomainCompactionThreshold(1_000_000)).getSessionProperties())
                .build();
        AlbisTableHandle large = (AlbisTableHandle) FilterPushdown.applyFilter(unlimited, table, constraint(predicate), _ -> false).orElseThrow().getHandle();
        assertThat(large.enforced()).isEqualTo(predicate);
        assertThat(CODEC.toJson(large).length()).as("length of the handle").isGreaterThan(20 * json.length());

        // A short list is enforced
        TupleDomain<AlbisColumnHandle> small = predicate.filter((column, _) -> column.equals(OTHER));
        result = apply(table, small);
        assertThat(result.getRemainingFilter().isAll()).isTrue();
        assertThat(((AlbisTableHandle) result.getHandle()).enforced()).isEqualTo(small);
    }

    private ConstraintApplicationResult<ConnectorTableHandle> apply(AlbisTableHandle table, TupleDomain<AlbisColumnHandle> predicate)
    {
        return FilterPushdown.applyFilter(session, table, constraint(predicate), _ -> false).orElseThrow();
    }

    private static Constraint constraint(TupleDomain<AlbisColumnHandle> predicate)
    {
        return new Constraint(predicate.transformKeys(column -> column));
    }
}
