package io.albis.trino.read;

import com.google.inject.Inject;
import io.albis.format.filter.FilterCache;
import io.albis.format.io.StorageAccess;
import io.albis.format.scan.MetadataSource;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.ScanHistory;
import io.albis.format.search.SearchCache;
import io.trino.filesystem.Location;
import io.trino.spi.connector.ConnectorSession;

import static io.albis.trino.config.AlbisSessionProperties.getReadAhead;
import static io.albis.trino.config.AlbisSessionProperties.getReadAheadMaxSize;
import static java.util.Objects.requireNonNull;

/**
 * Creates the resources that readers share. All readers of the catalog share the metadata cache and the read-ahead
 * threads. The readers of one scan also share its history, its filters, and its searches of indexes.
 */
public class ReaderResourcesFactory
{
    private final MetadataSource metadata;
    private final ReadAheadExecutor executor;

    @Inject
    public ReaderResourcesFactory(MetadataSource metadata, ReadAheadExecutor executor)
    {
        this.metadata = requireNonNull(metadata, "metadata is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    public ReaderResources create(ConnectorSession session, Location tableFolder, ScanHistory history, FilterCache filters, SearchCache searches)
    {
        boolean ahead = switch (getReadAhead(session)) {
            case ALWAYS -> true;
            case NEVER -> false;
            case AUTO -> !StorageAccess.isLocal(tableFolder);
        };
        StorageAccess access = ahead ? StorageAccess.REMOTE.ahead(getReadAheadMaxSize(session).toBytes()) : StorageAccess.of(tableFolder);
        return new ReaderResources(metadata, access, executor, history, filters, searches);
    }
}
