package io.albis.trino.security;

import io.trino.plugin.base.security.ForwardingConnectorAccessControl;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSecurityContext;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.SchemaTableName;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/**
 * Notes which privileges the statements of a transaction need. This tells an UPDATE from a MERGE that may insert rows,
 * for which the engine calls the same methods of a connector otherwise.
 */
public class StatementAccessControl
        extends ForwardingConnectorAccessControl
{
    private final ConnectorAccessControl delegate;
    private final Consumer<ConnectorTransactionHandle> inserts;
    private final Consumer<ConnectorTransactionHandle> updates;

    /**
     * @param inserts receives the transactions that need the privilege to insert rows
     * @param updates receives the transactions that need the privilege to update rows
     */
    public StatementAccessControl(ConnectorAccessControl delegate, Consumer<ConnectorTransactionHandle> inserts, Consumer<ConnectorTransactionHandle> updates)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.inserts = requireNonNull(inserts, "inserts is null");
        this.updates = requireNonNull(updates, "updates is null");
    }

    @Override
    protected ConnectorAccessControl delegate()
    {
        return delegate;
    }

    @Override
    public void checkCanInsertIntoTable(ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branch)
    {
        inserts.accept(context.getTransactionHandle());
        delegate.checkCanInsertIntoTable(context, tableName, branch);
    }

    @Override
    public void checkCanUpdateTableColumns(ConnectorSecurityContext context, SchemaTableName tableName, Optional<String> branch, Set<String> updatedColumns)
    {
        updates.accept(context.getTransactionHandle());
        delegate.checkCanUpdateTableColumns(context, tableName, branch, updatedColumns);
    }
}
