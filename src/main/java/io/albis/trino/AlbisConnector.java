package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Inject;
import io.airlift.bootstrap.LifeCycleManager;
import io.albis.trino.config.AlbisSchemaProperties;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.AlbisTableProperties;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.metadata.AlbisTransactionManager;
import io.albis.trino.procedure.TableProcedures;
import io.albis.trino.procedure.TransactionMode;
import io.albis.trino.security.StatementAccessControl;
import io.albis.trino.security.SystemTableAccessControl;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorMetadata;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorCapabilities;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static com.google.common.collect.Sets.immutableEnumSet;
import static io.trino.spi.connector.ConnectorCapabilities.DEFAULT_COLUMN_VALUE;
import static io.trino.spi.connector.ConnectorCapabilities.MATERIALIZED_VIEW_GRACE_PERIOD;
import static io.trino.spi.connector.ConnectorCapabilities.MATERIALIZED_VIEW_WHEN_STALE_BEHAVIOR;
import static io.trino.spi.connector.ConnectorCapabilities.NOT_NULL_COLUMN_CONSTRAINT;
import static io.trino.spi.transaction.IsolationLevel.SERIALIZABLE;
import static io.trino.spi.transaction.IsolationLevel.checkConnectorSupports;
import static java.util.Objects.requireNonNull;

/**
 * Gives the engine access to the parts of one catalog, and begins, commits, and rolls back its transactions.
 */
class AlbisConnector
        implements Connector
{
    private final LifeCycleManager lifeCycleManager;
    private final AlbisTransactionManager transactionManager;
    private final ConnectorSplitManager splitManager;
    private final ConnectorPageSourceProviderFactory pageSourceProviderFactory;
    private final ConnectorPageSinkProvider pageSinkProvider;
    private final ConnectorNodePartitioningProvider nodePartitioningProvider;
    private final AlbisSessionProperties sessionProperties;
    private final MaintenanceSessionProperties maintenanceProperties;
    private final AlbisSchemaProperties schemaProperties;
    private final AlbisTableProperties tableProperties;
    private final Optional<ConnectorAccessControl> accessControl;
    private final Set<Procedure> procedures;
    private final Set<ConnectorTableFunction> tableFunctions;
    private final FunctionProvider functionProvider;

    @Inject
    public AlbisConnector(
            LifeCycleManager lifeCycleManager,
            AlbisTransactionManager transactionManager,
            ConnectorSplitManager splitManager,
            ConnectorPageSourceProviderFactory pageSourceProviderFactory,
            ConnectorPageSinkProvider pageSinkProvider,
            ConnectorNodePartitioningProvider nodePartitioningProvider,
            AlbisSessionProperties sessionProperties,
            MaintenanceSessionProperties maintenanceProperties,
            AlbisSchemaProperties schemaProperties,
            AlbisTableProperties tableProperties,
            Optional<ConnectorAccessControl> accessControl,
            Set<Procedure> procedures,
            Set<ConnectorTableFunction> tableFunctions,
            FunctionProvider functionProvider)
    {
        this.lifeCycleManager = requireNonNull(lifeCycleManager, "lifeCycleManager is null");
        this.transactionManager = requireNonNull(transactionManager, "transactionManager is null");
        this.splitManager = requireNonNull(splitManager, "splitManager is null");
        this.pageSourceProviderFactory = requireNonNull(pageSourceProviderFactory, "pageSourceProviderFactory is null");
        this.pageSinkProvider = requireNonNull(pageSinkProvider, "pageSinkProvider is null");
        this.nodePartitioningProvider = requireNonNull(nodePartitioningProvider, "nodePartitioningProvider is null");
        this.sessionProperties = requireNonNull(sessionProperties, "sessionProperties is null");
        this.maintenanceProperties = requireNonNull(maintenanceProperties, "maintenanceProperties is null");
        this.schemaProperties = requireNonNull(schemaProperties, "schemaProperties is null");
        this.tableProperties = requireNonNull(tableProperties, "tableProperties is null");
        this.accessControl = requireNonNull(accessControl, "accessControl is null");
        this.procedures = ImmutableSet.copyOf(procedures);
        this.tableFunctions = ImmutableSet.copyOf(tableFunctions);
        this.functionProvider = requireNonNull(functionProvider, "functionProvider is null");
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        checkConnectorSupports(SERIALIZABLE, isolationLevel);
        return transactionManager.begin(new TransactionMode(readOnly, autoCommit));
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction)
    {
        transactionManager.commit(transaction);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        transactionManager.rollback(transaction);
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction)
    {
        ConnectorMetadata metadata = transactionManager.get(transaction, session);
        return new ClassLoaderSafeConnectorMetadata(metadata, getClass().getClassLoader());
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return splitManager;
    }

    @Override
    public ConnectorPageSourceProviderFactory getPageSourceProviderFactory()
    {
        return pageSourceProviderFactory;
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider()
    {
        return pageSinkProvider;
    }

    @Override
    public ConnectorNodePartitioningProvider getNodePartitioningProvider()
    {
        return nodePartitioningProvider;
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return ImmutableList.<PropertyMetadata<?>>builder()
                .addAll(sessionProperties.getSessionProperties())
                .addAll(maintenanceProperties.getSessionProperties())
                .build();
    }

    @Override
    public List<PropertyMetadata<?>> getSchemaProperties()
    {
        return schemaProperties.getSchemaProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return tableProperties.getTableProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getMaterializedViewProperties()
    {
        return tableProperties.getMaterializedViewProperties();
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return procedures;
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return tableFunctions;
    }

    @Override
    public Optional<FunctionProvider> getFunctionProvider()
    {
        return Optional.of(functionProvider);
    }

    @Override
    public Set<TableProcedureMetadata> getTableProcedures()
    {
        return TableProcedures.all();
    }

    /**
     * Returns the access control of the catalog.
     *
     * @throws UnsupportedOperationException if {@code albis.security=system} is set. The engine takes this as a
     *         connector without access control of its own, and applies that of the server only.
     */
    @Override
    public ConnectorAccessControl getAccessControl()
    {
        return accessControl.map(SystemTableAccessControl::new)
                .map(control -> new StatementAccessControl(control, transactionManager::noteInsert, transactionManager::noteUpdate))
                .orElseThrow(UnsupportedOperationException::new);
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return immutableEnumSet(DEFAULT_COLUMN_VALUE, NOT_NULL_COLUMN_CONSTRAINT, MATERIALIZED_VIEW_GRACE_PERIOD, MATERIALIZED_VIEW_WHEN_STALE_BEHAVIOR);
    }

    @Override
    public final void shutdown()
    {
        lifeCycleManager.stop();
    }
}
