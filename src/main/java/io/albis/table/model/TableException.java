package io.albis.table.model;

import com.google.errorprone.annotations.FormatMethod;

import static java.util.Objects.requireNonNull;

/**
 * An operation on a schema or a table was refused, or its end is not known. The message says what was wrong and,
 * where there is a choice, what is allowed. Damaged files are {@link io.albis.format.io.AlbisDataException}.
 */
public class TableException
        extends RuntimeException
{
    public enum Reason
    {
        SCHEMA_NOT_FOUND,
        /**
         * There is no such table, or it was dropped, renamed or replaced since it was loaded.
         */
        TABLE_NOT_FOUND,
        /**
         * A schema or a table of that name is there already.
         */
        ALREADY_EXISTS,
        SCHEMA_NOT_EMPTY,
        /**
         * The name of a schema or a table cannot be used.
         */
        INVALID_NAME,
        /**
         * A location that the user gave, or a part of the definition of a table, cannot be used.
         */
        INVALID_DEFINITION,
        /**
         * A location is none in which the administrator allows schemas and tables.
         */
        LOCATION_NOT_ALLOWED,
        /**
         * What others committed meanwhile does not go together with this commit. Nothing was committed.
         */
        CONFLICT,
        NOT_SUPPORTED,
        /**
         * The storage failed. Nothing was committed.
         */
        IO,
        /**
         * The storage failed while a commit was on its way, and could not be asked for its end afterwards: the commit
         * may be there, or may still appear. Files that belong to it must not be deleted.
         */
        OUTCOME_UNKNOWN,
    }

    private final Reason reason;

    @FormatMethod
    public TableException(Reason reason, String messageFormat, Object... arguments)
    {
        super(messageFormat.formatted(arguments));
        this.reason = requireNonNull(reason, "reason is null");
    }

    public TableException(Reason reason, String message, Throwable cause)
    {
        super(message, cause);
        this.reason = requireNonNull(reason, "reason is null");
    }

    public Reason reason()
    {
        return reason;
    }
}
