package io.albis.table.partition;

import io.airlift.slice.DynamicSliceOutput;
import io.airlift.slice.Slice;
import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.model.PartitionField;
import io.albis.table.model.PartitionTransform;
import io.albis.table.model.PartitionTypes;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static io.airlift.slice.Slices.wrappedBuffer;
import static io.albis.table.model.PartitionTransform.IDENTITY;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * Compares the conditions of a predicate with the partitions of row groups. All values of a function decide about
 * conditions that list values, such as {@code k = 7} and {@code k IN (7, 8)}. The value of the column itself decides
 * about all conditions. Bounds decide about other ranges, but not about the buckets of values, and they are not exact
 * for long texts and numbers that can be NaN. Each value of a partition says which function it has, so a row group can
 * be partitioned in another way than the table, or not at all. Thread safe.
 */
final class PartitionPredicate
{
    private final TupleDomain<AlbisColumn> predicate;
    // the conditions on whole columns, by column id
    private final Map<Integer, Domain> domains = new HashMap<>();
    // the bytes of the values that a condition lists as those of a partition
    private final Map<PartitionField, Set<Slice>> values = new ConcurrentHashMap<>();

    PartitionPredicate(TupleDomain<AlbisColumn> predicate)
    {
        this.predicate = requireNonNull(predicate, "predicate is null");
        predicate.getDomains().ifPresent(conditions -> conditions.forEach((column, domain) -> {
            if (!column.isPart()) {
                domains.put(column.id(), domain);
            }
        }));
    }

    /**
     * Returns whether a row of the row group may match the predicate, according to its partition.
     *
     * @throws java.io.UncheckedIOException if a value of the partition is damaged
     */
    boolean overlaps(RowGroup rowGroup)
    {
        for (PartitionValue value : rowGroup.partition()) {
            Domain domain = domains.get(value.columnId());
            if (domain != null) {
                Optional<PartitionField> field = field(value, domain.getType());
                if (field.isPresent() && !mayContain(rowGroup, field.get(), value, domain)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns the conditions of the predicate without those that match all rows of the row group because of its
     * partition.
     *
     * @throws java.io.UncheckedIOException if a value of the partition is damaged
     */
    TupleDomain<AlbisColumn> undecided(RowGroup rowGroup)
    {
        if (rowGroup.partition().isEmpty()) {
            return predicate;
        }
        return predicate.filter((column, domain) -> column.isPart() || !containsAll(rowGroup, column.id(), domain));
    }

    private boolean containsAll(RowGroup rowGroup, int columnId, Domain domain)
    {
        for (PartitionValue value : rowGroup.partition()) {
            if (value.columnId() == columnId && value.transform() == IDENTITY.code()) {
                Optional<PartitionField> field = field(value, domain.getType());
                if (field.isPresent() && mayContain(rowGroup, field.get(), value, domain)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns whether the domain may contain a value of the column in the partition. This is exact for the function
     * {@code identity}.
     */
    private boolean mayContain(RowGroup rowGroup, PartitionField field, PartitionValue value, Domain domain)
    {
        if (value.value().isEmpty()) {
            return domain.isNullAllowed();
        }
        byte[] bytes = value.value().get();
        PartitionValues.check(rowGroup, field, domain.getType(), bytes);
        if (domain.isNullableDiscreteSet()) {
            return values.computeIfAbsent(field, _ -> values(field, domain)).contains(wrappedBuffer(bytes));
        }
        return field.transform() != IDENTITY || domain.includesNullableValue(PartitionBytes.toNativeValue(domain.getType(), bytes));
    }

    private static Set<Slice> values(PartitionField field, Domain domain)
    {
        Type type = domain.getType();
        PartitionFunction function = PartitionFunction.of(field, type);
        Set<Slice> result = new HashSet<>();
        for (Object value : domain.getNullableDiscreteSet().getNonNullValues()) {
            Block block = writeNativeValue(type, value);
            DynamicSliceOutput output = PartitionKeys.newBuffer();
            function.append(block, 0, output);
            result.add(output.slice());
        }
        return result;
    }

    /**
     * Returns the function of a value; empty if this version of Albis does not know it.
     */
    private static Optional<PartitionField> field(PartitionValue value, Type type)
    {
        return PartitionTransform.find(value.transform())
                .filter(transform -> transform.isParameterized() == (value.parameter() > 0) && PartitionTypes.isSupported(transform, type))
                .map(transform -> new PartitionField(value.columnId(), transform, value.parameter()));
    }
}
