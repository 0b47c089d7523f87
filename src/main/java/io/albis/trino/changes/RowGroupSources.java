package io.albis.trino.changes;

import com.google.common.collect.ImmutableList;
import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesReader;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.SegmentShare;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisSplit;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.HiddenColumnHandle;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;

import static io.albis.trino.error.AlbisErrors.translate;
import static java.util.Objects.requireNonNull;

/**
 * Opens the row groups of one split with the reader of tables.
 */
final class RowGroupSources
{
    // the transaction is on the coordinator, and reading a row group needs none
    private static final ConnectorTransactionHandle NO_TRANSACTION = new ConnectorTransactionHandle() {};

    private final ConnectorPageSourceProvider reader;
    private final TrinoFileSystem fileSystem;
    private final ConnectorSession session;
    private final Optional<ConnectorTableCredentials> credentials;
    private final AlbisTableHandle table;
    private final SegmentShare share;

    RowGroupSources(ConnectorPageSourceProvider reader, TrinoFileSystem fileSystem, ConnectorSession session, Optional<ConnectorTableCredentials> credentials, TableChangesHandle function, SegmentShare share)
    {
        this.reader = requireNonNull(reader, "reader is null");
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.session = requireNonNull(session, "session is null");
        this.credentials = requireNonNull(credentials, "credentials is null");
        this.table = new AlbisTableHandle(
                function.schemaName(),
                function.tableName(),
                function.tableId(),
                function.folder(),
                function.endVersion(),
                TupleDomain.all(),
                TupleDomain.all());
        this.share = requireNonNull(share, "share is null");
    }

    /**
     * Opens the rows that are not deleted.
     */
    ConnectorPageSource liveRows(RowGroup rowGroup, List<AlbisColumnHandle> columns)
    {
        return open(rowGroup, ImmutableList.copyOf(columns));
    }

    /**
     * Opens all rows, including those that are deleted. The channel after the columns has the positions of the rows.
     */
    ConnectorPageSource allRows(RowGroup rowGroup, List<AlbisColumnHandle> columns)
    {
        return open(rowGroup.withoutDeletedRows(), ImmutableList.<ColumnHandle>builder()
                .addAll(columns)
                .add(new HiddenColumnHandle(HiddenColumn.ROW_POSITION))
                .build());
    }

    private ConnectorPageSource open(RowGroup rowGroup, List<ColumnHandle> columns)
    {
        return reader.createPageSource(
                NO_TRANSACTION,
                session,
                new AlbisSplit(rowGroup, share, 1, ImmutableList.of()),
                table,
                credentials,
                columns,
                DynamicFilter.EMPTY,
                MemoryContext.NO_LIMIT);
    }

    DeletedPositions deletedRows(RowGroup rowGroup)
    {
        if (rowGroup.deletedRows().isEmpty()) {
            return DeletedPositions.NONE;
        }
        return translate(() -> DeletesReader.read(fileSystem, Location.of(table.folder()), rowGroup.deletedRows().get(), rowGroup.rows()));
    }
}
