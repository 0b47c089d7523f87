package io.albis.trino;

import com.google.inject.Inject;
import io.albis.trino.changes.TableChangesHandle;
import io.albis.trino.changes.TableChangesProcessorProvider;
import io.albis.trino.maintenance.MaintenanceFunctionProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeTableFunctionProcessorProvider;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;

import static java.util.Objects.requireNonNull;

/**
 * Creates what runs the table functions of the connector on each node.
 */
class AlbisFunctionProvider
        implements FunctionProvider
{
    private final MaintenanceFunctionProvider maintenance;
    private final TableFunctionProcessorProvider changes;

    @Inject
    public AlbisFunctionProvider(MaintenanceFunctionProvider maintenance, TableChangesProcessorProvider changes)
    {
        this.maintenance = requireNonNull(maintenance, "maintenance is null");
        this.changes = new ClassLoaderSafeTableFunctionProcessorProvider(changes, getClass().getClassLoader());
    }

    @Override
    public TableFunctionProcessorProvider getTableFunctionProcessorProvider(ConnectorTableFunctionHandle functionHandle)
    {
        if (functionHandle instanceof TableChangesHandle) {
            return changes;
        }
        return maintenance.getTableFunctionProcessorProvider(functionHandle);
    }
}
