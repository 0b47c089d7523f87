package io.albis.trino.storage;

import com.google.inject.Inject;
import io.albis.table.storage.DurableFileSystem;
import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.spi.security.ConnectorIdentity;

import java.util.Optional;

import static io.albis.table.storage.CheckedFileSystem.checked;
import static java.util.Objects.requireNonNull;

/**
 * Creates Trino file systems with two properties that commits depend on: a file on the local disk is durable once it
 * is closed, and every failure is an IOException.
 */
public class AlbisFileSystemFactory
        implements TrinoFileSystemFactory
{
    private final TrinoFileSystemFactory delegate;
    private final Optional<LocalFolders> localFolders;

    @Inject
    public AlbisFileSystemFactory(TrinoFileSystemFactory delegate, LocalRoot localRoot)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.localFolders = localRoot.folders();
    }

    @Override
    public TrinoFileSystem create(ConnectorIdentity identity)
    {
        TrinoFileSystem fileSystem = delegate.create(identity);
        return checked(localFolders
                .map(folders -> (TrinoFileSystem) new DurableFileSystem(fileSystem, folders))
                .orElse(fileSystem));
    }
}
