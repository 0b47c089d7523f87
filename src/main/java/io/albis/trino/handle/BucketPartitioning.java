package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableList;
import io.airlift.slice.XxHash64;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongToIntFunction;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Integer.numberOfTrailingZeros;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * Distributes rows by the buckets of their values in some columns. It does not name the columns, so that tables with
 * the same functions have the same partitioning.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param functions the function of each column
 */
public record BucketPartitioning(HandleBuild build, List<Buckets> functions)
        implements ConnectorPartitioningHandle
{
    private static final int MAX_BUCKETS = 10_000;

    @JsonCreator
    public BucketPartitioning
    {
        HandleBuild.checkPresent(build);
        functions = ImmutableList.copyOf(functions);
        checkArgument(!functions.isEmpty(), "functions is empty");
    }

    public BucketPartitioning(List<Buckets> functions)
    {
        this(HandleBuild.CURRENT, functions);
    }

    /**
     * The function {@code bucket} of a column.
     *
     * @param type type of the column
     * @param count number of buckets
     */
    public record Buckets(Type type, int count)
    {
        public Buckets
        {
            requireNonNull(type, "type is null");
            checkArgument(count > 0, "count is not positive: %s", count);
        }

        /**
         * Returns a function whose buckets each consist of whole buckets of this function and of another one. A bucket
         * is the remainder of a hash, so the numbers of buckets can differ by a power of two. Other common divisors are
         * not used, because three functions could then have a common one in pairs only.
         *
         * @return empty if there is no such function with more than one bucket
         */
        public Optional<Buckets> common(Buckets other)
        {
            if (equals(other)) {
                return Optional.of(this);
            }
            int common = Math.min(count, other.count);
            if (!type.equals(other.type) || common == 1 || oddPart(count) != oddPart(other.count)) {
                return Optional.empty();
            }
            return Optional.of(new Buckets(type, common));
        }

        private static int oddPart(int count)
        {
            return count >> numberOfTrailingZeros(count);
        }
    }

    /**
     * Returns the partitioning by which tables with this and with another partitioning can be distributed.
     */
    public Optional<BucketPartitioning> common(BucketPartitioning other)
    {
        if (functions.size() != other.functions.size()) {
            return Optional.empty();
        }
        ImmutableList.Builder<Buckets> common = ImmutableList.builder();
        for (int i = 0; i < functions.size(); i++) {
            Optional<Buckets> function = functions.get(i).common(other.functions.get(i));
            if (function.isEmpty()) {
                return Optional.empty();
            }
            common.add(function.get());
        }
        return Optional.of(new BucketPartitioning(common.build()));
    }

    /**
     * Returns the number of combinations of buckets, which the engine distributes to nodes; empty if there are so many
     * that the engine should choose how many buckets it distributes.
     */
    public OptionalInt bucketCount()
    {
        long count = 1;
        for (Buckets function : functions) {
            count *= function.count();
            if (count > MAX_BUCKETS) {
                return OptionalInt.empty();
            }
        }
        return OptionalInt.of((int) count);
    }

    /**
     * Adds the bucket of a column to the number that identifies the buckets of the columns before it. The number is 0
     * before the first column.
     */
    public long combine(long number, int column, int bucket)
    {
        return number * functions.get(column).count() + bucket;
    }

    /**
     * Returns the function from the number that identifies a combination of buckets to the bucket that the engine
     * distributes.
     *
     * @param bucketCount number of buckets that the engine distributes
     */
    public LongToIntFunction distribution(int bucketCount)
    {
        if (bucketCount().equals(OptionalInt.of(bucketCount))) {
            return number -> (int) number;
        }
        // Without the hash, combinations with the same bucket of the last column could be in one bucket
        return number -> (int) Long.remainderUnsigned(XxHash64.hash(number), bucketCount);
    }

    @Override
    public String toString()
    {
        return functions.stream()
                .map(function -> "bucket(%s, %s)".formatted(function.type().getDisplayName(), function.count()))
                .collect(joining(", "));
    }
}
