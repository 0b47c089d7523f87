package io.albis.table;

import com.google.common.collect.ImmutableList;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.StorageProbe;
import io.albis.table.storage.LocalFolders;
import io.albis.table.version.CommitObserver;
import io.trino.filesystem.Location;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * What a process sets for the warehouses that it opens. Immutable: each method returns a copy with one setting changed.
 */
public final class WarehouseOptions
{
    public static final WarehouseOptions DEFAULT = new WarehouseOptions(
            Optional.empty(),
            ImmutableList.of(),
            CommitObserver.NONE,
            CommitPolicy.DEFAULT,
            ManifestOptions.DEFAULT,
            Optional.empty());

    private final Optional<LocalFolders> localFolders;
    private final List<Location> allowedLocations;
    private final CommitObserver observer;
    private final CommitPolicy policy;
    private final ManifestOptions manifests;
    private final Optional<StorageProbe> probe;

    private WarehouseOptions(
            Optional<LocalFolders> localFolders,
            List<Location> allowedLocations,
            CommitObserver observer,
            CommitPolicy policy,
            ManifestOptions manifests,
            Optional<StorageProbe> probe)
    {
        this.localFolders = requireNonNull(localFolders, "localFolders is null");
        this.allowedLocations = ImmutableList.copyOf(allowedLocations);
        this.observer = requireNonNull(observer, "observer is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.probe = requireNonNull(probe, "probe is null");
    }

    /**
     * @param localFolders what {@code local:///} and {@code file:///} stand for, which is the catalog property
     *         {@code local.location}; needed to write to locations of these schemes. One for all warehouses of the process,
     *         so that it forces the names of folders once
     */
    public WarehouseOptions withLocalFolders(Optional<LocalFolders> localFolders)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe);
    }

    public WarehouseOptions withLocalRoot(Path localRoot)
    {
        return withLocalFolders(Optional.of(new LocalFolders(localRoot)));
    }

    /**
     * @param allowedLocations folders outside of the warehouse in which users may put schemas and tables
     */
    public WarehouseOptions withAllowedLocations(List<Location> allowedLocations)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe);
    }

    public WarehouseOptions withObserver(CommitObserver observer)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe);
    }

    /**
     * @param source where the warehouse gets manifests from, on behalf of the identity of its file system
     */
    public WarehouseOptions withManifests(ManifestSource source)
    {
        return withManifests(ManifestOptions.of(source));
    }

    public WarehouseOptions withManifests(ManifestOptions manifests)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe);
    }

    /**
     * @param probe asks each storage, before the first write there, whether it creates files only if they are absent; one for
     *         all warehouses of the process, so that it asks each storage once. Without it, storages are trusted
     */
    public WarehouseOptions withProbe(StorageProbe probe)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, Optional.of(probe));
    }

    public WarehouseOptions withPolicy(CommitPolicy policy)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe);
    }

    Optional<LocalFolders> localFolders()
    {
        return localFolders;
    }

    List<Location> allowedLocations()
    {
        return allowedLocations;
    }

    CommitObserver observer()
    {
        return observer;
    }

    CommitPolicy policy()
    {
        return policy;
    }

    ManifestOptions manifests()
    {
        return manifests;
    }

    Optional<StorageProbe> probe()
    {
        return probe;
    }
}
