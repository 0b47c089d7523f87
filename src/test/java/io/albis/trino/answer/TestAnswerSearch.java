package io.albis.trino.answer;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.part.TablePart;
import io.albis.table.version.AlbisTable;
import io.albis.trino.answer.Aggregate.Kind;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.manifest.RandomManifests;
import io.albis.trino.manifest.RandomManifests.Row;
import io.albis.trino.topn.SortKeyOrder;
import io.trino.spi.block.Block;
import io.trino.spi.connector.SortOrder;
import io.trino.spi.predicate.NullableValue;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;

import static io.albis.trino.manifest.RandomManifests.NUMBER;
import static io.albis.trino.manifest.RandomManifests.randomType;
import static io.trino.spi.connector.SortOrder.ASC_NULLS_LAST;
import static io.trino.spi.connector.SortOrder.DESC_NULLS_LAST;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bounds and counts of manifests give the same answers as those of all row groups, and only the manifests that do
 * not decide are read.
 */
final class TestAnswerSearch
{
    private static final int TABLES = 12;
    private static final int QUERIES = 60;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    private int answered;
    private int skippedManifests;

    @Test
    void testRandomManifests()
    {
        System.out.println("Answers from random manifests with seed " + seed);
        for (int round = 0; round < TABLES; round++) {
            RandomManifests manifests = new RandomManifests(random, randomType(random), random.nextInt(3) == 0);
            manifests.change();
            for (int query = 0; query < QUERIES; query++) {
                compare(manifests);
            }
        }
        // otherwise the test would compare nothing
        assertThat(answered).isPositive();
        assertThat(skippedManifests).isPositive();
    }

    private void compare(RandomManifests manifests)
    {
        TupleDomain<AlbisColumn> predicate = random.nextBoolean() ? TupleDomain.all() : manifests.predicate();
        List<Aggregate> aggregates = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            aggregates.add(aggregate(manifests.key()));
        }
        List<GroupKey> keys = random.nextInt(4) == 0 ? ImmutableList.of(new GroupKey(NUMBER)) : ImmutableList.of();
        String query = "seed %s: %s by %s where %s".formatted(seed, aggregates, keys, predicate);

        AlbisTable table = manifests.load();
        Optional<Answers> actual = Answers.find(table, predicate.transformKeys(TestAnswerSearch::handle), keys, aggregates);
        if (actual.isPresent()) {
            skippedManifests += table.version().manifests().size() - manifests.manifestsRead();
        }
        Optional<List<List<NullableValue>>> ofRowGroups = ofRowGroups(table, predicate, keys, aggregates);
        assertThat(actual.isPresent()).as(query).isEqualTo(ofRowGroups.isPresent());
        if (actual.isEmpty()) {
            return;
        }
        answered++;
        Map<Object, List<Row>> groups = new HashMap<>();
        if (keys.isEmpty()) {
            groups.put("all", new ArrayList<>());
        }
        for (Row row : manifests.rows(predicate)) {
            groups.computeIfAbsent(keys.isEmpty() ? "all" : row.number(), _ -> new ArrayList<>()).add(row);
        }
        assertThat(actual.get().rows()).as(query).hasSameSizeAs(groups.keySet());
        for (List<NullableValue> row : actual.get().rows()) {
            List<Row> group = groups.get(keys.isEmpty() ? "all" : row.getFirst().getValue());
            for (int i = 0; i < aggregates.size(); i++) {
                assertResult(row.get(keys.size() + i), aggregates.get(i), group, query);
            }
        }
    }

    private Aggregate aggregate(AlbisColumn column)
    {
        return switch (random.nextInt(6)) {
            case 0 -> new Aggregate(Kind.COUNT, Optional.empty());
            case 1 -> new Aggregate(Kind.COUNT, Optional.of(handle(column)));
            case 2, 3 -> new Aggregate(Kind.MIN, Optional.of(handle(column)));
            default -> new Aggregate(Kind.MAX, Optional.of(handle(column)));
        };
    }

    private static AlbisColumnHandle handle(AlbisColumn column)
    {
        return new AlbisColumnHandle(column.id(), column.name(), column.type());
    }

    /**
     * Returns the results according to each row group, whatever is known about manifests.
     */
    private static Optional<List<List<NullableValue>>> ofRowGroups(AlbisTable table, TupleDomain<AlbisColumn> predicate, List<GroupKey> keys, List<Aggregate> aggregates)
    {
        DecidedRows rows = new DecidedRows(predicate);
        Groups groups = new Groups(keys, aggregates, rows);
        for (RowGroup rowGroup : table.rowGroups()) {
            TablePart part = TablePart.of(rowGroup);
            if (rows.mayBeIn(part) && !groups.add(part)) {
                return Optional.empty();
            }
        }
        return groups.results();
    }

    private static void assertResult(NullableValue actual, Aggregate aggregate, List<Row> rows, String query)
    {
        Type type = aggregate.resultType();
        switch (aggregate.kind()) {
            case COUNT -> assertThat(actual.getValue()).as(query)
                    .isEqualTo(rows.stream().filter(row -> aggregate.column().isEmpty() || row.key() != null).count());
            case MIN, MAX -> {
                SortOrder ascending = aggregate.kind() == Kind.MIN ? ASC_NULLS_LAST : DESC_NULLS_LAST;
                SortKeyOrder order = new SortKeyOrder(type, ascending);
                Optional<Block> expected = rows.stream()
                        .map(Row::key)
                        .filter(Objects::nonNull)
                        .filter(value -> !value.equals(Double.NaN))
                        .<Block>map(value -> writeNativeValue(type, value))
                        .min((left, right) -> order.compare(left, 0, right, 0));
                assertThat(actual.isNull()).as(query).isEqualTo(expected.isEmpty());
                expected.ifPresent(value -> assertThat(order.compare(actual.asBlock(), 0, value, 0)).as(query).isZero());
            }
        }
    }

    /**
     * Manifests without deleted rows need not be read.
     */
    @Test
    void testWithoutDeletes()
    {
        RandomManifests manifests = sorted();
        for (int count = 0; count < 2; count++) {
            assertThat(find(manifests)).isPresent();
            assertThat(manifests.manifestsRead()).as("seed %s", seed).isZero();
            manifests.append(60, true, 40);
        }
    }

    /**
     * After rows were deleted, only a manifest with deleted rows or removed entries can have a bound that is no value.
     */
    @Test
    void testDeletes()
    {
        RandomManifests manifests = sorted();
        manifests.delete(1);
        int total = manifests.load().version().manifests().size();
        assertThat(total).isGreaterThan(10);
        Aggregate least = new Aggregate(Kind.MIN, Optional.of(handle(manifests.key())));
        Optional<Answers> found = Answers.find(manifests.load(), TupleDomain.all(), ImmutableList.of(), ImmutableList.of(least));
        // the small manifest with the changed entry, and the one that it came from
        assertThat(manifests.manifestsRead()).as("seed %s", seed).isLessThanOrEqualTo(2);
        found.ifPresent(answers -> assertResult(answers.rows().getFirst().getFirst(), least, manifests.rows(TupleDomain.all()), "seed " + seed));
    }

    private RandomManifests sorted()
    {
        RandomManifests manifests = new RandomManifests(random, BIGINT, false);
        for (int commit = 0; commit < 5; commit++) {
            manifests.append(60, true, 40);
        }
        return manifests;
    }

    private static Optional<Answers> find(RandomManifests manifests)
    {
        AlbisColumnHandle key = handle(manifests.key());
        return Answers.find(manifests.load(), TupleDomain.all(), ImmutableList.of(), ImmutableList.of(
                new Aggregate(Kind.COUNT, Optional.of(key)),
                new Aggregate(Kind.MIN, Optional.of(key)),
                new Aggregate(Kind.MAX, Optional.of(key))));
    }
}
