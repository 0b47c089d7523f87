package io.albis.table.put;

import com.google.common.collect.ImmutableSet;
import io.albis.table.model.TableException;
import io.albis.table.storage.LocalFolders;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.util.Optional;
import java.util.Set;

import static io.albis.format.io.StorageAccess.isLocal;
import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.util.Objects.requireNonNull;

/**
 * Selects the way in which a file system creates a file exactly once.
 */
public final class PutIfAbsentSelector
{
    private static final Set<String> EXCLUSIVE_CREATE_SCHEMES = ImmutableSet.of("s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "memory");
    private static final Set<String> RENAME_SCHEMES = ImmutableSet.of("hdfs");

    private final PutIfAbsent byExclusiveCreate;
    private final PutIfAbsent byRename;
    private final Optional<PutIfAbsent> byLink;

    public PutIfAbsentSelector(TrinoFileSystem fileSystem, Optional<LocalFolders> localFolders)
    {
        this(new PutByExclusiveCreate(fileSystem), new PutByRename(fileSystem), localFolders.map(PutByLink::new));
    }

    public PutIfAbsentSelector(PutIfAbsent byExclusiveCreate, PutIfAbsent byRename, Optional<PutIfAbsent> byLink)
    {
        this.byExclusiveCreate = requireNonNull(byExclusiveCreate, "byExclusiveCreate is null");
        this.byRename = requireNonNull(byRename, "byRename is null");
        this.byLink = requireNonNull(byLink, "byLink is null");
    }

    /**
     * Returns the implementation for the scheme of a location.
     *
     * @throws TableException NOT_SUPPORTED if Albis cannot create files exactly once on this file system
     */
    public PutIfAbsent select(Location location)
    {
        String scheme = location.scheme().orElse("");
        if (EXCLUSIVE_CREATE_SCHEMES.contains(scheme)) {
            return byExclusiveCreate;
        }
        if (RENAME_SCHEMES.contains(scheme)) {
            return byRename;
        }
        if (isLocal(location)) {
            return byLink.orElseThrow(() -> new TableException(NOT_SUPPORTED, "Location %s is on the local file system, which requires the catalog properties fs.local.enabled=true and local.location", location));
        }
        throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: commits need a file system that creates a file only if it is absent. " +
                "Supported schemes are hdfs, local, file, s3, gs, abfs, and abfss", location);
    }
}
