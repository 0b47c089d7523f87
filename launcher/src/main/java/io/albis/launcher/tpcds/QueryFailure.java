package io.albis.launcher.tpcds;

import com.google.common.collect.ImmutableSet;

import java.sql.SQLException;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/**
 * The failure of a query.
 *
 * @param message the error message as a single line
 * @param expected whether the query fails in the same way on every connector
 */
public record QueryFailure(String message, boolean expected)
{
    // StandardErrorCode.DIVISION_BY_ZERO, which clients see as a number
    static final int DIVISION_BY_ZERO = 8;
    // At scale tiny, no rows match the filters of these queries, and the queries divide by a sum or a count of the
    // matching rows
    private static final Set<Integer> DIVIDE_BY_ZERO_AT_TINY = ImmutableSet.of(12, 90);

    public QueryFailure
    {
        requireNonNull(message, "message is null");
    }

    static QueryFailure of(SQLException failure, int query, Scale scale)
    {
        if (failure.getErrorCode() == DIVISION_BY_ZERO && scale.equals(Scale.TINY) && DIVIDE_BY_ZERO_AT_TINY.contains(query)) {
            return new QueryFailure("division by zero, expected: at this scale it does so on every connector", true);
        }
        String message = String.valueOf(failure.getMessage());
        return new QueryFailure(message.lines().findFirst().orElse(message), false);
    }
}
