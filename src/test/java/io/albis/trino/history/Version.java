package io.albis.trino.history;

import com.google.common.collect.Multiset;
import io.albis.table.model.IsolationLevel;
import jakarta.annotation.Nullable;

import java.util.Optional;

/**
 * A version of a table, with what the checker has learned about it.
 */
final class Version
{
    static final String CREATE = "create";
    static final String RENAME = "rename";

    final String table;
    final long number;
    final String operation;
    final String queryId;

    /**
     * The rows, if anybody has read the version.
     */
    Optional<Multiset<Row>> rows = Optional.empty();

    /**
     * The statement that made the version, if it is known.
     */
    Optional<Call> call = Optional.empty();

    /**
     * The name of the table and its isolation level, which are unknown after a version that nobody has seen.
     */
    @Nullable
    String name;
    @Nullable
    IsolationLevel isolation;

    /**
     * The commit took place in this interval.
     */
    long earliest;
    long latest = Call.NEVER;

    Version(String table, long number, String operation, String queryId)
    {
        this.table = table;
        this.number = number;
        this.operation = operation;
        this.queryId = queryId;
    }

    @Override
    public String toString()
    {
        return "version %s of table %s (%s, %s, by %s)".formatted(number, table, name, operation, call.map(Call::toString).orElse(queryId));
    }
}
