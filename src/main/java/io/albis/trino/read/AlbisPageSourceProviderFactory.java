package io.albis.trino.read;

import com.google.inject.Inject;
import io.albis.trino.storage.ForAlbis;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.connector.ConnectorExpressionEvaluator;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;

import static java.util.Objects.requireNonNull;

/**
 * Creates a page source provider for each scan.
 */
public class AlbisPageSourceProviderFactory
        implements ConnectorPageSourceProviderFactory
{
    private final TrinoFileSystemFactory fileSystemFactory;
    private final ReaderResourcesFactory resources;
    private final ScanStats stats;
    private final ConnectorExpressionEvaluator evaluator;

    @Inject
    public AlbisPageSourceProviderFactory(@ForAlbis TrinoFileSystemFactory fileSystemFactory, ReaderResourcesFactory resources, ScanStats stats, ConnectorExpressionEvaluator evaluator)
    {
        this.fileSystemFactory = requireNonNull(fileSystemFactory, "fileSystemFactory is null");
        this.resources = requireNonNull(resources, "resources is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.evaluator = requireNonNull(evaluator, "evaluator is null");
    }

    @Override
    public ConnectorPageSourceProvider createPageSourceProvider()
    {
        return new AlbisPageSourceProvider(fileSystemFactory, resources, stats, evaluator);
    }
}
