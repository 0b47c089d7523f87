package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.predicate.TupleDomain;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * One version of a table, and the predicates on its rows.
 *
 * @param build the first property, so that it is checked first, see {@link HandleBuild}
 * @param folder of the table; all paths of its files are relative to it
 * @param version number of the version, which is the same for the whole query
 * @param enforced predicate that the reader enforces: it returns only rows that match
 * @param pruning predicate that may be used to skip rows; the engine evaluates it again
 * @param columns ids of the columns that the scan reads apart from those of the predicates; empty if they are not known
 * @param chosen whether the query names the version (FOR VERSION or FOR TIMESTAMP), so that it can only be read
 * @param limit maximum number of rows that the query needs; the scan may return more
 * @param topN the first rows of an order, if the query needs only these; the scan may return more
 * @param sample share of the row groups that the scan reads; empty for all
 * @param answer empty if the scan returns rows of the table
 * @param indexed ids of the columns whose indexes the scan may use, for EXPLAIN. Each row group decides for itself
 * @param bounded ids of the columns whose bounds the version knows for whole manifests, for EXPLAIN
 * @param buckets buckets by which the engine distributes the scan to nodes; empty if it may read any row group anywhere
 * @param tests other parts of the filter that may be used to skip rows; the engine evaluates them again
 */
public record AlbisTableHandle(
        HandleBuild build,
        String schemaName,
        String tableName,
        UUID tableId,
        String folder,
        long version,
        TupleDomain<AlbisColumnHandle> enforced,
        TupleDomain<AlbisColumnHandle> pruning,
        Optional<Set<Integer>> columns,
        boolean chosen,
        OptionalLong limit,
        Optional<TopN> topN,
        OptionalDouble sample,
        Optional<MetadataAnswer> answer,
        Set<Integer> indexed,
        Set<Integer> bounded,
        Optional<ScanBuckets> buckets,
        RowTests tests)
        implements ConnectorTableHandle
{
    @JsonCreator
    public AlbisTableHandle
    {
        HandleBuild.checkPresent(build);
        requireNonNull(schemaName, "schemaName is null");
        requireNonNull(tableName, "tableName is null");
        requireNonNull(tableId, "tableId is null");
        requireNonNull(folder, "folder is null");
        checkArgument(version > 0, "version is not positive: %s", version);
        requireNonNull(enforced, "enforced is null");
        requireNonNull(pruning, "pruning is null");
        columns = columns.map(ImmutableSet::copyOf);
        requireNonNull(limit, "limit is null");
        requireNonNull(topN, "topN is null");
        requireNonNull(sample, "sample is null");
        requireNonNull(answer, "answer is null");
        indexed = ImmutableSet.copyOf(indexed);
        bounded = ImmutableSet.copyOf(bounded);
        requireNonNull(buckets, "buckets is null");
        requireNonNull(tests, "tests is null");
    }

    public AlbisTableHandle(
            String schemaName,
            String tableName,
            UUID tableId,
            String folder,
            long version,
            TupleDomain<AlbisColumnHandle> enforced,
            TupleDomain<AlbisColumnHandle> pruning)
    {
        this(HandleBuild.CURRENT, schemaName, tableName, tableId, folder, version, enforced, pruning, Optional.empty(), false, OptionalLong.empty(), Optional.empty(), OptionalDouble.empty(), Optional.empty(), ImmutableSet.of(), ImmutableSet.of(), Optional.empty(), RowTests.NONE);
    }

    public SchemaTableName schemaTableName()
    {
        return new SchemaTableName(schemaName, tableName);
    }

    /**
     * Returns the predicate that row groups and segments can be pruned by.
     */
    public TupleDomain<AlbisColumnHandle> predicate()
    {
        return enforced.intersect(pruning);
    }

    /**
     * Returns the handle of a version that the query names.
     */
    public AlbisTableHandle asChosen()
    {
        return with(builder -> builder.chosen = true);
    }

    public AlbisTableHandle withPredicate(TupleDomain<AlbisColumnHandle> enforced, TupleDomain<AlbisColumnHandle> pruning)
    {
        return with(builder -> {
            builder.enforced = enforced;
            builder.pruning = pruning;
        });
    }

    public AlbisTableHandle withColumns(Optional<Set<Integer>> columns)
    {
        return with(builder -> builder.columns = columns);
    }

    public AlbisTableHandle withLimit(OptionalLong limit)
    {
        return with(builder -> builder.limit = limit);
    }

    public AlbisTableHandle withTopN(Optional<TopN> topN)
    {
        return with(builder -> builder.topN = topN);
    }

    public AlbisTableHandle withSample(OptionalDouble sample)
    {
        return with(builder -> builder.sample = sample);
    }

    public AlbisTableHandle withIndexed(Set<Integer> indexed)
    {
        return with(builder -> builder.indexed = indexed);
    }

    public AlbisTableHandle withBounded(Set<Integer> bounded)
    {
        return with(builder -> builder.bounded = bounded);
    }

    public AlbisTableHandle withBuckets(Optional<ScanBuckets> buckets)
    {
        return with(builder -> builder.buckets = buckets);
    }

    public AlbisTableHandle withTests(RowTests tests)
    {
        return with(builder -> builder.tests = tests);
    }

    /**
     * Returns whether the engine evaluates no part of the predicates again.
     */
    public boolean enforcesAll()
    {
        return pruning.isAll() && tests.isEmpty();
    }

    /**
     * Returns the handle of a scan that returns the rows of an answer.
     *
     * @param columns ids of the columns from which the answer was made. The scan has read them, although it does not
     *         return them
     */
    public AlbisTableHandle withAnswer(MetadataAnswer answer, Set<Integer> columns)
    {
        return with(builder -> {
            builder.answer = Optional.of(answer);
            builder.columns = Optional.of(columns);
            builder.buckets = Optional.empty();
        });
    }

    /**
     * Returns whether the scan returns all rows that match its predicates. An aggregation can be pushed down only into
     * such a scan.
     */
    public boolean returnsAllRows()
    {
        return selectsByPredicate() && sample.isEmpty();
    }

    /**
     * Returns whether another predicate can be pushed down. It applies to the rows that the scan returns, which must be
     * the rows of its row groups that match its predicates.
     */
    public boolean selectsByPredicate()
    {
        return limit.isEmpty() && topN.isEmpty() && answer.isEmpty();
    }

    @Override
    public String toString()
    {
        StringBuilder text = new StringBuilder()
                .append(schemaName).append('.').append(tableName)
                .append(" version=").append(version);
        append(text, " constraint on ", enforced);
        append(text, " prune by ", pruning);
        append(text, " expressions on ", tests.expressionColumns());
        append(text, " alternatives on ", tests.alternativeColumns());
        if (answer.isEmpty()) {
            // an answer is found without a search
            append(text, " indexes on ", searched());
            append(text, " manifest bounds on ", skipped());
        }
        buckets.ifPresent(scan -> text.append(" buckets of ").append(names(scan.columns())));
        sample.ifPresent(share -> text.append(" sample=").append(share));
        limit.ifPresent(rows -> text.append(" limit=").append(rows));
        topN.ifPresent(first -> text.append(" topN=").append(first));
        answer.ifPresent(found -> text.append(" answered from metadata ").append(found));
        return text.toString();
    }

    /**
     * Returns the columns with an index by which rows are filtered.
     */
    private Set<AlbisColumnHandle> searched()
    {
        Set<AlbisColumnHandle> filtered = predicate().getDomains().map(Map::keySet).orElse(ImmutableSet.of());
        return Sets.union(filtered, tests.columns()).stream()
                .filter(column -> indexed.contains(column.id()))
                .collect(toImmutableSet());
    }

    /**
     * Returns the columns by whose bounds the scan leaves out manifests without reading them.
     */
    private Set<AlbisColumnHandle> skipped()
    {
        Set<AlbisColumnHandle> filtered = predicate().getDomains().map(Map::keySet).orElse(ImmutableSet.of());
        Set<AlbisColumnHandle> sorted = topN.map(first -> ImmutableSet.of(first.key())).orElse(ImmutableSet.of());
        return Sets.union(filtered, sorted).stream()
                .filter(column -> !column.isPart() && bounded.contains(column.id()))
                .collect(toImmutableSet());
    }

    private static void append(StringBuilder text, String title, TupleDomain<AlbisColumnHandle> predicate)
    {
        if (predicate.isNone()) {
            text.append(title).append("[no row]");
            return;
        }
        append(text, title, predicate.getDomains().orElseThrow().keySet());
    }

    private static void append(StringBuilder text, String title, Set<AlbisColumnHandle> columns)
    {
        if (!columns.isEmpty()) {
            text.append(title).append(names(columns));
        }
    }

    private static String names(Collection<AlbisColumnHandle> columns)
    {
        return columns.stream()
                .map(AlbisColumnHandle::name)
                .sorted()
                .collect(joining(", ", "[", "]"));
    }

    private AlbisTableHandle with(Consumer<Builder> change)
    {
        Builder builder = new Builder(this);
        change.accept(builder);
        return builder.build();
    }

    /**
     * Another handle of the same version. All handles that are made from others are made here.
     */
    private static final class Builder
    {
        private final AlbisTableHandle handle;
        private TupleDomain<AlbisColumnHandle> enforced;
        private TupleDomain<AlbisColumnHandle> pruning;
        private Optional<Set<Integer>> columns;
        private boolean chosen;
        private OptionalLong limit;
        private Optional<TopN> topN;
        private OptionalDouble sample;
        private Optional<MetadataAnswer> answer;
        private Set<Integer> indexed;
        private Set<Integer> bounded;
        private Optional<ScanBuckets> buckets;
        private RowTests tests;

        private Builder(AlbisTableHandle handle)
        {
            this.handle = handle;
            this.enforced = handle.enforced;
            this.pruning = handle.pruning;
            this.columns = handle.columns;
            this.chosen = handle.chosen;
            this.limit = handle.limit;
            this.topN = handle.topN;
            this.sample = handle.sample;
            this.answer = handle.answer;
            this.indexed = handle.indexed;
            this.bounded = handle.bounded;
            this.buckets = handle.buckets;
            this.tests = handle.tests;
        }

        private AlbisTableHandle build()
        {
            return new AlbisTableHandle(
                    handle.build,
                    handle.schemaName,
                    handle.tableName,
                    handle.tableId,
                    handle.folder,
                    handle.version,
                    enforced,
                    pruning,
                    columns,
                    chosen,
                    limit,
                    topN,
                    sample,
                    answer,
                    indexed,
                    bounded,
                    buckets,
                    tests);
        }
    }
}
