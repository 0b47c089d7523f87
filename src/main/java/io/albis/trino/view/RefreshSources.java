package io.albis.trino.view;

import com.google.common.collect.ImmutableList;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization.BaseTable;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.version.AlbisTable;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.relation.StorageTables;
import io.albis.trino.relation.TableLoader;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;

import java.time.Instant;
import java.util.List;

/**
 * Makes the description of a refresh from the tables that its query reads.
 */
final class RefreshSources
{
    private RefreshSources() {}

    /**
     * @param begin when the statement began
     * @param sources handles of the tables of this catalog that the query reads
     * @param onlySources whether the query reads nothing else
     */
    static Refresh describe(TableLoader tables, Instant begin, List<ConnectorTableHandle> sources, boolean onlySources)
    {
        boolean complete = onlySources;
        ImmutableList.Builder<BaseTable> bases = ImmutableList.builder();
        for (ConnectorTableHandle source : sources) {
            if (!(source instanceof AlbisTableHandle handle)) {
                complete = false;
                continue;
            }
            SchemaTableName name = handle.schemaTableName();
            if (handle.chosen() && !StorageTables.isStorage(name)) {
                // the query may name the version by a tag or a time, which can lead to another version later
                complete = false;
                continue;
            }
            SchemaTableName base = StorageTables.baseOf(name);
            AlbisTable table = tables.load(handle);
            bases.add(new BaseTable(base.getSchemaName(), base.getTableName(), table.uuid(), table.version().version(), ContentHash.of(table.version())));
        }
        return new Refresh(begin, complete, bases.build());
    }
}
