package io.albis.trino.maintenance;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionProcessorState;
import io.trino.spi.function.table.TableFunctionSplitProcessor;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.function.table.TableFunctionProcessorState.Finished.FINISHED;
import static io.trino.spi.function.table.TableFunctionProcessorState.Processed.produced;
import static java.util.Objects.requireNonNull;

/**
 * Turns the rows that the coordinator has found into pages, on any node.
 */
public class MaintenanceFunctionProvider
        implements FunctionProvider
{
    @Override
    public TableFunctionProcessorProvider getTableFunctionProcessorProvider(ConnectorTableFunctionHandle functionHandle)
    {
        MaintenanceColumns columns = MaintenanceColumns.of(((MaintenanceFunctionHandle) functionHandle).kind());
        return new TableFunctionProcessorProvider()
        {
            @Override
            public TableFunctionSplitProcessor getSplitProcessor(ConnectorSession session, ConnectorTableFunctionHandle handle, Optional<ConnectorTableCredentials> tableCredentials, ConnectorSplit split)
            {
                return new Processor(columns, ((MaintenanceSplit) split).rows());
            }
        };
    }

    private static final class Processor
            implements TableFunctionSplitProcessor
    {
        private final MaintenanceColumns columns;
        private final List<MaintenanceRow> rows;
        private boolean finished;

        private Processor(MaintenanceColumns columns, List<MaintenanceRow> rows)
        {
            this.columns = requireNonNull(columns, "columns is null");
            this.rows = requireNonNull(rows, "rows is null");
        }

        @Override
        public TableFunctionProcessorState process()
        {
            if (finished) {
                return FINISHED;
            }
            finished = true;
            return produced(columns.page(rows));
        }
    }
}
