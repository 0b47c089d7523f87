package io.albis.trino;

import io.trino.plugin.base.security.AllowAllSystemAccessControl;
import io.trino.spi.connector.CatalogSchemaTableName;
import io.trino.spi.security.SystemSecurityContext;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * Runs a statement in the middle of another one: when the engine asks whether the other one may change a table, which
 * it has loaded by then.
 */
final class InterposedStatement
        extends AllowAllSystemAccessControl
{
    private final AtomicReference<Runnable> statement = new AtomicReference<>();

    /**
     * Runs a statement in the middle of the next one that changes a table.
     */
    void set(Runnable statement)
    {
        this.statement.set(requireNonNull(statement, "statement is null"));
    }

    /**
     * Returns whether the statement is still to run.
     */
    boolean isPending()
    {
        return statement.get() != null;
    }

    private void run()
    {
        Runnable pending = statement.getAndSet(null);
        if (pending != null) {
            pending.run();
        }
    }

    @Override
    public void checkCanExecuteTableProcedure(SystemSecurityContext context, CatalogSchemaTableName table, String procedure)
    {
        run();
    }

    @Override
    public void checkCanInsertIntoTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
    {
        run();
    }

    @Override
    public void checkCanDeleteFromTable(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch)
    {
        run();
    }

    @Override
    public void checkCanUpdateTableColumns(SystemSecurityContext context, CatalogSchemaTableName table, Optional<String> branch, Set<String> columns)
    {
        run();
    }
}
