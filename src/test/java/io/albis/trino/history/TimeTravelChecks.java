package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Read.AsOf;
import io.albis.trino.history.Read.Tagged;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Checks that a query by a time returns the rows of the version that was the newest at that time, and a query by a tag
 * those of the version with the tag. Both also return the number of the version that is the newest for them.
 */
final class TimeTravelChecks
{
    private final Versions versions;
    private final List<Call> calls;
    private final Consumer<String> anomalies;

    TimeTravelChecks(Versions versions, List<Call> calls, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.anomalies = anomalies;
    }

    void check()
    {
        for (Version version : versions.all()) {
            versions.next(version)
                    .filter(next -> next.committed.orElse(Long.MAX_VALUE) <= version.committed.orElse(0))
                    .ifPresent(next -> anomalies.accept("Commit times do not increase: %s at %s, %s at %s".formatted(version, version.committed, next, next.committed)));
        }
        for (Call call : calls) {
            if (!call.isDone()) {
                continue;
            }
            switch (call.operation()) {
                case AsOf read -> versionOf(call).flatMap(newest -> asOf(newest, read.millis())).ifPresent(version -> check(call, version));
                case Tagged read -> versionOf(call).ifPresent(newest -> checkTag(call, read.tag(), newest));
                default -> {}
            }
        }
    }

    private Optional<Version> versionOf(Call call)
    {
        List<String> row = call.outcome().rows().getFirst();
        return versions.find(row.get(0), Long.parseLong(row.get(1)));
    }

    /**
     * Returns the last version at a time, if it is known.
     */
    private Optional<Version> asOf(Version newest, long millis)
    {
        Version found = newest;
        while (found.committed.isPresent() && found.committed.getAsLong() > millis) {
            Optional<Version> previous = versions.previous(found);
            if (previous.isEmpty()) {
                return Optional.empty();
            }
            found = previous.get();
        }
        return found.committed.equals(OptionalLong.empty()) ? Optional.empty() : Optional.of(found);
    }

    private void checkTag(Call call, String tag, Version newest)
    {
        if (newest.tags == null) {
            return;
        }
        Long number = newest.tags.get(tag);
        if (number == null) {
            anomalies.accept("A query has found a tag that the table does not have: %s, %s".formatted(call, newest));
            return;
        }
        versions.find(newest.table, number).ifPresent(version -> check(call, version));
    }

    private void check(Call call, Version version)
    {
        Multiset<Row> rows = ImmutableMultiset.copyOf(Model.byVersion(call.outcome()).values());
        if (version.rows.isPresent() && !version.rows.get().equals(rows)) {
            anomalies.accept("A query has not returned the rows of %s: %s returned %s instead of %s".formatted(version, call, rows, version.rows.get()));
        }
    }
}
