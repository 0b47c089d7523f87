package io.albis.trino.error;

import io.albis.format.io.AlbisDataException;
import io.albis.format.run.RowTooLargeException;
import io.albis.table.model.TableException;
import io.albis.table.name.NameEntry;
import io.albis.table.name.UnreadableTableException;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

import static com.google.common.base.Throwables.getCausalChain;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_COMMIT_ERROR;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_DATA_TOO_NEW;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_DATA_TOO_OLD;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_FILESYSTEM_ERROR;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.PERMISSION_DENIED;
import static io.trino.spi.StandardErrorCode.SCHEMA_NOT_EMPTY;
import static io.trino.spi.StandardErrorCode.SCHEMA_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.TABLE_NOT_FOUND;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;

/**
 * Translates exceptions of the format and of tables into Trino exceptions.
 */
public final class AlbisErrors
{
    private AlbisErrors() {}

    /**
     * An operation on files or tables that has a result.
     */
    @FunctionalInterface
    public interface Operation<T>
    {
        T run()
                throws IOException;
    }

    /**
     * An operation on files or tables without a result.
     */
    @FunctionalInterface
    public interface Action
    {
        void run()
                throws IOException;
    }

    /**
     * Runs an operation and returns its result.
     *
     * @throws TrinoException if the operation fails with an exception of the format, of tables, or of storage. Other
     *         exceptions pass unchanged.
     */
    public static <T> T translate(Operation<T> operation)
    {
        try {
            return operation.run();
        }
        catch (TableException | IOException | UncheckedIOException | RowTooLargeException e) {
            throw toTrinoException(e);
        }
    }

    /**
     * Runs an operation as {@link #translate(Operation)} does, but with another code for one reason. For example, what
     * is not valid can be an argument of a procedure.
     */
    public static <T> T translate(Operation<T> operation, TableException.Reason reason, ErrorCodeSupplier code)
    {
        return translate(() -> {
            try {
                return operation.run();
            }
            catch (TableException e) {
                if (e.reason() == reason) {
                    throw new TrinoException(code, e.getMessage(), e);
                }
                throw e;
            }
        });
    }

    /**
     * Runs an operation without a result, with the exceptions of {@link #translate(Operation)}.
     */
    public static void translateAction(Action action)
    {
        translate(() -> {
            action.run();
            return null;
        });
    }

    /**
     * Translates an exception. A commit whose outcome is unknown stays unknown, whatever the cause is. Otherwise, a
     * TrinoException in the causal chain is returned unchanged. An AlbisDataException in the chain decides the error
     * code even if it is wrapped. An exception that comes neither from the format nor from tables is a failure of
     * storage.
     */
    public static TrinoException toTrinoException(Exception exception)
    {
        if (exception instanceof TableException tableException && tableException.reason() == OUTCOME_UNKNOWN) {
            return toTrinoException(tableException);
        }
        for (Throwable cause : getCausalChain(exception)) {
            if (cause instanceof TrinoException trinoException) {
                return trinoException;
            }
            if (cause instanceof AlbisDataException dataException) {
                return new TrinoException(code(dataException.reason()), dataException.getMessage(), exception);
            }
        }
        if (exception instanceof RowTooLargeException) {
            return new TrinoException(NOT_SUPPORTED, exception.getMessage(), exception);
        }
        if (exception instanceof TableException tableException) {
            return toTrinoException(tableException);
        }
        Throwable failure = exception instanceof UncheckedIOException && exception.getCause() != null ? exception.getCause() : exception;
        return new TrinoException(ALBIS_FILESYSTEM_ERROR, "Storage failed: " + firstLine(failure), exception);
    }

    private static TrinoException toTrinoException(TableException exception)
    {
        String message = exception.getMessage();
        if (exception.getCause() instanceof IOException failure) {
            message += ". The storage said: " + firstLine(failure);
        }
        return new TrinoException(code(exception.reason()), message, exception);
    }

    // the NameNode appends its stack trace to its messages
    private static String firstLine(Throwable failure)
    {
        return Optional.ofNullable(failure.getMessage())
                .flatMap(message -> message.lines().findFirst())
                .orElseGet(failure::toString);
    }

    /**
     * Returns whether a file is damaged.
     */
    public static boolean isDamaged(TrinoException exception)
    {
        return exception.getErrorCode().equals(ALBIS_BAD_DATA.toErrorCode());
    }

    /**
     * Returns the name entry of a table that could not be loaded, or empty if the failure is a different one.
     */
    public static Optional<NameEntry> unreadableEntry(TrinoException exception)
    {
        for (Throwable cause : getCausalChain(exception)) {
            if (cause instanceof UnreadableTableException unreadable) {
                return Optional.of(unreadable.entry());
            }
        }
        return Optional.empty();
    }

    public static boolean isTableNotFound(TrinoException exception)
    {
        return exception.getErrorCode().equals(TABLE_NOT_FOUND.toErrorCode());
    }

    /**
     * Returns whether storage failed, so its content is unknown.
     */
    public static boolean isStorageFailure(TrinoException exception)
    {
        return exception.getErrorCode().equals(ALBIS_FILESYSTEM_ERROR.toErrorCode());
    }

    private static ErrorCodeSupplier code(AlbisDataException.Reason reason)
    {
        return switch (reason) {
            case DAMAGED -> ALBIS_BAD_DATA;
            case TOO_NEW -> ALBIS_DATA_TOO_NEW;
            case TOO_OLD -> ALBIS_DATA_TOO_OLD;
        };
    }

    private static ErrorCodeSupplier code(TableException.Reason reason)
    {
        return switch (reason) {
            case SCHEMA_NOT_FOUND -> SCHEMA_NOT_FOUND;
            case TABLE_NOT_FOUND -> TABLE_NOT_FOUND;
            case ALREADY_EXISTS -> ALREADY_EXISTS;
            case SCHEMA_NOT_EMPTY -> SCHEMA_NOT_EMPTY;
            case INVALID_NAME, VERSION_NOT_FOUND -> INVALID_ARGUMENTS;
            case INVALID_DEFINITION -> INVALID_TABLE_PROPERTY;
            case LOCATION_NOT_ALLOWED -> PERMISSION_DENIED;
            case CONFLICT -> TRANSACTION_CONFLICT;
            case NOT_SUPPORTED -> NOT_SUPPORTED;
            case IO -> ALBIS_FILESYSTEM_ERROR;
            case OUTCOME_UNKNOWN -> ALBIS_COMMIT_ERROR;
        };
    }
}
