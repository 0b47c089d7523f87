package io.albis.table.model;

import com.google.errorprone.annotations.FormatMethod;

import static java.util.Objects.requireNonNull;

/**
 * Signals that an operation on a schema or a table was refused, or that its outcome is unknown. The message says what
 * is wrong and, where there is a choice, what is allowed. Damaged files are reported as
 * {@link io.albis.format.io.AlbisDataException} instead.
 */
public class TableException
        extends RuntimeException
{
    public enum Reason
    {
        SCHEMA_NOT_FOUND,
        /**
         * The table does not exist, or it was dropped, renamed, or replaced after it was loaded.
         */
        TABLE_NOT_FOUND,
        /**
         * The table has no such version, or no longer has it.
         */
        VERSION_NOT_FOUND,
        /**
         * A schema or a table of that name already exists.
         */
        ALREADY_EXISTS,
        SCHEMA_NOT_EMPTY,
        /**
         * The name of a schema or a table is not allowed.
         */
        INVALID_NAME,
        /**
         * A location that the user specified, or a part of the definition of a table, is not valid.
         */
        INVALID_DEFINITION,
        /**
         * The location is outside of the folders in which the administrator allows schemas and tables.
         */
        LOCATION_NOT_ALLOWED,
        /**
         * Another writer committed a conflicting change first. Nothing was committed.
         */
        CONFLICT,
        NOT_SUPPORTED,
        /**
         * The storage failed. Nothing was committed.
         */
        IO,
        /**
         * The storage failed during a commit, and the result could not be determined afterwards. The commit may exist
         * or may still appear. Files that belong to it must not be deleted.
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
