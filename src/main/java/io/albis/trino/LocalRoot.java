package io.albis.trino;

import java.nio.file.Path;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * The folder of this machine that {@code local:///} stands for, if the local file system is enabled.
 */
record LocalRoot(Optional<Path> path)
{
    LocalRoot
    {
        requireNonNull(path, "path is null");
    }
}
