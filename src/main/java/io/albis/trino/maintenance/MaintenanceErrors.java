package io.albis.trino.maintenance;

import io.albis.trino.error.AlbisErrors;
import io.albis.trino.error.AlbisErrors.Operation;

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
     * Runs an operation as {@link AlbisErrors#translate(Operation)} does. A location that is not valid is an argument
     * of the procedure, and not a property of a table.
     */
    static <T> T translateProcedure(Operation<T> operation)
    {
        return AlbisErrors.translate(operation, INVALID_DEFINITION, INVALID_PROCEDURE_ARGUMENT);
    }

    /**
     * As {@link #translateProcedure}, for a table function.
     */
    static <T> T translateFunction(Operation<T> operation)
    {
        return AlbisErrors.translate(operation, INVALID_DEFINITION, INVALID_FUNCTION_ARGUMENT);
    }
}
