package io.albis.trino.maintenance;

import io.albis.table.model.TableException;
import io.albis.trino.error.AlbisErrors;
import io.albis.trino.error.AlbisErrors.Operation;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;

import static io.albis.table.model.TableException.Reason.INVALID_DEFINITION;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;

/**
 * Translates the exceptions of procedures and table functions.
 */
final class MaintenanceErrors
{
    private MaintenanceErrors() {}

    /**
     * Runs an operation as {@link AlbisErrors#translate} does. A location that is not valid is an argument of the
     * procedure, and not a property of a table.
     */
    static <T> T translateProcedure(Operation<T> operation)
    {
        return translate(INVALID_PROCEDURE_ARGUMENT, operation);
    }

    /**
     * As {@link #translateProcedure}, for a table function.
     */
    static <T> T translateFunction(Operation<T> operation)
    {
        return translate(INVALID_FUNCTION_ARGUMENT, operation);
    }

    private static <T> T translate(ErrorCodeSupplier invalidArgument, Operation<T> operation)
    {
        return AlbisErrors.translate(() -> {
            try {
                return operation.run();
            }
            catch (TableException e) {
                if (e.reason() == INVALID_DEFINITION) {
                    throw new TrinoException(invalidArgument, e.getMessage(), e);
                }
                throw e;
            }
        });
    }
}
