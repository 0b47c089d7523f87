package io.albis.format;

import io.albis.format.RowValues.BitsOfNan;
import io.albis.format.schema.AlbisColumn;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.albis.format.RandomBlocks.randomValue;

/**
 * Random predicates, and the rows that they match.
 */
final class RandomPredicates
{
    private RandomPredicates() {}

    static boolean matches(List<Object> row, List<AlbisColumn> columns, TupleDomain<AlbisColumn> predicate)
    {
        if (predicate.isNone()) {
            return false;
        }
        for (Map.Entry<AlbisColumn, Domain> entry : predicate.getDomains().orElseThrow().entrySet()) {
            Domain domain = entry.getValue();
            Object value = row.get(columns.indexOf(entry.getKey()));
            if (value instanceof BitsOfNan) {
                if (!domain.getValues().isAll()) {
                    return false;
                }
            }
            else if (!domain.includesNullableValue(value)) {
                return false;
            }
        }
        return true;
    }

    static TupleDomain<AlbisColumn> randomPredicate(Random random, AlbisSchema schema, List<List<Object>> rows)
    {
        Map<AlbisColumn, Domain> domains = new HashMap<>();
        for (int i = 0; i < 1 + random.nextInt(2); i++) {
            int channel = random.nextInt(schema.columns().size());
            AlbisColumn column = schema.columns().get(channel);
            domains.put(column, randomDomain(random, column.type(), rows.stream().map(row -> row.get(channel)).toList()));
        }
        return TupleDomain.withColumnDomains(domains);
    }

    private static Domain randomDomain(Random random, Type type, List<Object> values)
    {
        boolean nullAllowed = random.nextInt(4) == 0;
        if (!type.isOrderable() || random.nextInt(8) == 0) {
            return random.nextBoolean() ? Domain.onlyNull(type) : Domain.notNull(type);
        }
        List<Range> ranges = new ArrayList<>();
        int count = random.nextBoolean() ? 1 : 1 + random.nextInt(20);
        boolean singles = random.nextBoolean();
        for (int i = 0; i < count; i++) {
            Object left = bound(random, type, values);
            Object right = bound(random, type, values);
            ranges.add(switch (singles ? 0 : 1 + random.nextInt(5)) {
                case 0 -> Range.equal(type, left);
                case 1 -> Range.lessThan(type, left);
                case 2 -> Range.lessThanOrEqual(type, left);
                case 3 -> Range.greaterThan(type, left);
                case 4 -> Range.greaterThanOrEqual(type, left);
                default -> {
                    Range least = Range.lessThanOrEqual(type, left);
                    yield least.overlaps(Range.equal(type, right)) ? orderedRange(random, type, right, left) : orderedRange(random, type, left, right);
                }
            });
        }
        ValueSet set = ValueSet.ofRanges(ranges);
        return Domain.create(random.nextInt(4) == 0 ? set.complement() : set, nullAllowed);
    }

    private static Range orderedRange(Random random, Type type, Object low, Object high)
    {
        boolean equal = Range.equal(type, low).overlaps(Range.equal(type, high));
        return Range.range(type, low, equal || random.nextBoolean(), high, equal || random.nextBoolean());
    }

    private static Object bound(Random random, Type type, List<Object> values)
    {
        while (true) {
            Object value = values.isEmpty() || random.nextBoolean() ? randomValue(random, type) : values.get(random.nextInt(values.size()));
            if (value != null && !(value instanceof BitsOfNan) && !TypeUtils.isFloatingPointNaN(type, value)) {
                return value;
            }
        }
    }
}
