package io.albis.trino.partition;

import io.albis.format.metadata.PartitionValue;
import io.albis.format.metadata.RowGroup;
import io.albis.table.model.PartitionField;
import io.albis.table.partition.BucketNumbers;
import io.albis.table.partition.PartitionValues;
import io.albis.trino.handle.BucketPartitioning;
import io.albis.trino.handle.BucketPartitioning.Buckets;
import io.albis.trino.handle.ScanBuckets;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Finds the buckets of row groups. All rows of a row group are in the same buckets, if it was written while the table
 * was partitioned by them.
 */
public final class RowGroupBuckets
{
    /**
     * The bucket of null, for which the function {@code bucket} has no value. The engine needs one for each row.
     */
    static final int NULL_BUCKET = 0;

    private final ScanBuckets scan;

    public RowGroupBuckets(ScanBuckets scan)
    {
        this.scan = requireNonNull(scan, "scan is null");
    }

    /**
     * Returns whether the buckets of a row group are known.
     */
    public boolean contains(RowGroup rowGroup)
    {
        for (PartitionField field : scan.fields()) {
            if (find(rowGroup, field).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the number that identifies the buckets of a row group.
     *
     * @throws java.io.UncheckedIOException if a value of the partition is damaged
     */
    public long get(RowGroup rowGroup)
    {
        BucketPartitioning partitioning = scan.partitioning();
        long number = 0;
        for (int i = 0; i < scan.fields().size(); i++) {
            PartitionField field = scan.fields().get(i);
            PartitionValue value = find(rowGroup, field)
                    .orElseThrow(() -> new IllegalStateException("Row group %s is not partitioned by %s. Set the session property bucket_execution_enabled to false".formatted(rowGroup.id(), field)));
            Buckets function = partitioning.functions().get(i);
            number = partitioning.combine(number, i, bucket(rowGroup, field, function, value) % function.count());
        }
        return number;
    }

    private static int bucket(RowGroup rowGroup, PartitionField field, Buckets function, PartitionValue value)
    {
        if (value.value().isEmpty()) {
            return NULL_BUCKET;
        }
        PartitionValues.check(rowGroup, field, function.type(), value.value().get());
        return BucketNumbers.parse(value.value().get());
    }

    private static Optional<PartitionValue> find(RowGroup rowGroup, PartitionField field)
    {
        for (PartitionValue value : rowGroup.partition()) {
            if (field.describes(value)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }
}
