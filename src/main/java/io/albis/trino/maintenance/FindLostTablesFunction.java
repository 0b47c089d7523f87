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

import java.util.Map;
import java.util.Optional;

/**
 * The table function find_lost_tables.
 */
public class FindLostTablesFunction
        extends AbstractConnectorTableFunction
{
    public FindLostTablesFunction()
    {
        super("system",
                "find_lost_tables",
                ImmutableList.of(FunctionArguments.LOCATION_ARGUMENT),
                new DescribedTable(MaintenanceColumns.of(Kind.FIND_LOST_TABLES).descriptor()),
                "Lists the tables to which no name refers");
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        return TableFunctionAnalysis.builder()
                .handle(new MaintenanceFunctionHandle(Kind.FIND_LOST_TABLES, FunctionArguments.location(arguments), Optional.empty()))
                .build();
    }
}
