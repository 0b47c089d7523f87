package io.albis.trino.storage;

import io.albis.table.storage.LocalFolders;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What {@code local:///} stands for on this machine, if the local file system is enabled.
 */
public record LocalRoot(Optional<LocalFolders> folders)
{
    public LocalRoot
    {
        requireNonNull(folders, "folders is null");
    }
}
