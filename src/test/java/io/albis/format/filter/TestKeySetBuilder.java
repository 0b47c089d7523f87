package io.albis.format.filter;

import io.albis.format.RandomBlocks;
import io.albis.format.type.OrderKeys;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.SortedRangeSet;
import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static io.trino.spi.type.TypeUtils.isFloatingPointNaN;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests sets of single values, which dynamic filters have.
 */
final class TestKeySetBuilder
{
    private static final int MANY = 100;

    static List<Type> types()
    {
        return RandomBlocks.TYPES.stream()
                .filter(type -> OrderKeys.of(type).hasKeys())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("types")
    void testSetsOfSingleValues(Type type)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int size : new int[] {1, 2, 7, 8, 9, MANY, 2000}) {
            Domain domain = Domain.multipleValues(type, values(random, type, size));
            List<Object> probes = new ArrayList<>(values(random, type, 200));
            domain.getValues().getRanges().getOrderedRanges().stream().limit(200).forEach(range -> probes.add(range.getSingleValue()));

            BlockBuilder builder = type.createBlockBuilder(null, probes.size());
            List<Integer> expected = new ArrayList<>();
            for (int position = 0; position < probes.size(); position++) {
                writeNativeValue(type, builder, probes.get(position));
                if (domain.includesNullableValue(probes.get(position))) {
                    expected.add(position);
                }
            }
            int[] selected = new int[probes.size()];
            int count = FilterValues.of(domain).newFilter().select((ValueBlock) builder.build(), probes.size(), selected);
            List<Integer> actual = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                actual.add(selected[i]);
            }
            assertThat(actual).as("%s values, seed %s", size, seed).isEqualTo(expected);
            assertThat(expected).hasSizeGreaterThanOrEqualTo(Math.min(200, domain.getValues().getRanges().getRangeCount()));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void testManyValuesAreNotSearchedThrough(Type type)
    {
        Random random = new Random(1);
        Domain domain = Domain.multipleValues(type, values(random, type, MANY));
        if (domain.getValues().getRanges().getRangeCount() > 8) {
            assertThat(KeySetBuilder.toKeySet(OrderKeys.of(type), (SortedRangeSet) domain.getValues())).isNotInstanceOf(MultiRangeKeySet.class);
        }
    }

    private static List<Object> values(Random random, Type type, int count)
    {
        List<Object> values = new ArrayList<>();
        while (values.size() < count) {
            Object value = RandomBlocks.randomValue(random, type);
            if (!isFloatingPointNaN(type, value)) {
                values.add(value);
            }
        }
        return values;
    }
}
