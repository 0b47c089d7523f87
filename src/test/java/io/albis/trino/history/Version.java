package io.albis.trino.history;

import com.google.common.collect.Multiset;
import io.albis.table.model.IsolationLevel;
import jakarta.annotation.Nullable;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A version of a table, with what the checker has learned about it.
 */
final class Version
{
    static final String CREATE = "create";
    static final String RENAME = "rename";
    static final String REGISTER = "register";
    static final String UNREGISTER = "unregister";
    static final String TRUNCATE = "truncate";
    // The name of a table that was unregistered
    static final String NO_NAME = "";

    final String table;
    final long number;
    final String operation;
    final String queryId;
    /**
     * When the table says that the version was committed, in milliseconds.
     */
    final OptionalLong committed;

    /**
     * The rows, if anybody has read the version.
     */
    Optional<Multiset<Row>> rows = Optional.empty();

    /**
     * The columns that were added to the table, if anybody has read the version.
     */
    Optional<Set<String>> columns = Optional.empty();

    /**
     * The statement that made the version, if it is known.
     */
    Optional<Call> call = Optional.empty();

    /**
     * The name of the table and its isolation level, which are unknown after a version that nobody has seen. Likewise
     * the numbers of the versions with tags, and the numbers of the versions that have added columns.
     */
    @Nullable
    String name;
    @Nullable
    IsolationLevel isolation;
    @Nullable
    Map<String, Long> tags;
    @Nullable
    Map<String, Long> added;

    /**
     * The commit took place in this interval.
     */
    long earliest;
    long latest = Call.NEVER;

    Version(String table, long number, String operation, String queryId, OptionalLong committed)
    {
        this.table = table;
        this.number = number;
        this.operation = operation;
        this.queryId = queryId;
        this.committed = committed;
    }

    @Override
    public String toString()
    {
        return "version %s of table %s (%s, %s, by %s)".formatted(number, table, name, operation, call.map(Call::toString).orElse(queryId));
    }
}
