package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import io.albis.trino.maintenance.MaintenanceFunctionHandle.Kind;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.table.AbstractConnectorTableFunction;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ReturnTypeSpecification.DescribedTable;
import io.trino.spi.function.table.TableFunctionAnalysis;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;

/**
 * The table function vacuum_candidates, which lists what vacuum would free.
 */
public class VacuumCandidatesFunction
        extends AbstractConnectorTableFunction
{
    public VacuumCandidatesFunction()
    {
        super("system",
                "vacuum_candidates",
                ImmutableList.of(FunctionArguments.RETENTION_ARGUMENT, FunctionArguments.LOCATION_ARGUMENT),
                new DescribedTable(MaintenanceColumns.of(Kind.VACUUM_CANDIDATES).descriptor()),
                "Lists the folders in which vacuum would free space");
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        Instant before = VacuumRetention.begin(session, FunctionArguments.retention(arguments), INVALID_FUNCTION_ARGUMENT);
        return TableFunctionAnalysis.builder()
                .handle(new MaintenanceFunctionHandle(Kind.VACUUM_CANDIDATES, FunctionArguments.location(arguments), Optional.of(before.toEpochMilli())))
                .build();
    }
}
