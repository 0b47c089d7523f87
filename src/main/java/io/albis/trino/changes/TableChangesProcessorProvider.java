package io.albis.trino.changes;

import com.google.inject.Inject;
import io.albis.trino.read.AlbisPageSourceProviderFactory;
import io.albis.trino.storage.ForAlbis;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionSplitProcessor;
import io.trino.spi.type.TypeManager;
import io.trino.spi.type.TypeOperators;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Creates the processors that read the changes of row groups, on any node.
 */
public class TableChangesProcessorProvider
        implements TableFunctionProcessorProvider
{
    private final TrinoFileSystemFactory fileSystemFactory;
    private final AlbisPageSourceProviderFactory readers;
    private final TypeOperators typeOperators;

    @Inject
    public TableChangesProcessorProvider(@ForAlbis TrinoFileSystemFactory fileSystemFactory, AlbisPageSourceProviderFactory readers, TypeManager typeManager)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.readers = requireNonNull(readers, "readers is null");
        this.typeOperators = requireNonNull(typeManager, "typeManager is null").getTypeOperators();
    }

    @Override
    public TableFunctionSplitProcessor getSplitProcessor(ConnectorSession session, ConnectorTableFunctionHandle handle, Optional<ConnectorTableCredentials> tableCredentials, ConnectorSplit split)
    {
        TableChangesHandle function = (TableChangesHandle) handle;
        TableChangesSplit changes = (TableChangesSplit) split;
        RowGroupSources sources = new RowGroupSources(readers.createPageSourceProvider(), fileSystemFactory.create(session), session, tableCredentials, function, changes.share());
        return new TableChangesProcessor(sources, typeOperators, session.getTimeZoneKey(), function.columns(), changes);
    }
}
