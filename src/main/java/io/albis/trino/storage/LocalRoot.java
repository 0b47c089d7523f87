package io.albis.trino.storage;

import io.albis.table.storage.LocalFolders;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The folder on this machine that {@code local:///} refers to.
 *
 * @param folders empty if the local file system is not enabled
 */
public record LocalRoot(Optional<LocalFolders> folders)
{
    public LocalRoot
    {
        requireNonNull(folders, "folders is null");
    }
}
