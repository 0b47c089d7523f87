package io.albis.table;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.table.manifest.ManifestOptions;
import io.albis.table.manifest.ManifestSource;
import io.albis.table.put.CommitPolicy;
import io.albis.table.put.StorageProbe;
import io.albis.table.storage.LocalFolders;
import io.albis.table.version.CommitObserver;
import io.trino.filesystem.Location;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Options with which a process opens warehouses. This class is immutable: each method returns a copy with one changed
 * option.
 */
public final class WarehouseOptions
{
    public static final WarehouseOptions DEFAULT = new WarehouseOptions(
            Optional.empty(),
            ImmutableList.of(),
            CommitObserver.NONE,
            CommitPolicy.DEFAULT,
            ManifestOptions.DEFAULT,
            Optional.empty(),
            ImmutableMap.of());

    private final Optional<LocalFolders> localFolders;
    private final List<Location> allowedLocations;
    private final CommitObserver observer;
    private final CommitPolicy policy;
    private final ManifestOptions manifests;
    private final Optional<StorageProbe> probe;
    private final Map<String, String> summary;

    private WarehouseOptions(
            Optional<LocalFolders> localFolders,
            List<Location> allowedLocations,
            CommitObserver observer,
            CommitPolicy policy,
            ManifestOptions manifests,
            Optional<StorageProbe> probe,
            Map<String, String> summary)
    {
        this.localFolders = requireNonNull(localFolders, "localFolders is null");
        this.allowedLocations = ImmutableList.copyOf(allowedLocations);
        this.observer = requireNonNull(observer, "observer is null");
        this.policy = requireNonNull(policy, "policy is null");
        this.manifests = requireNonNull(manifests, "manifests is null");
        this.probe = requireNonNull(probe, "probe is null");
        this.summary = ImmutableMap.copyOf(summary);
    }

    /**
     * Sets the folder of the local file system, which is required to write to locations with the schemes {@code local}
     * and {@code file}.
     *
     * @param localFolders folder that {@code local:///} and {@code file:///} refer to, which is the catalog property
     *         {@code local.location}; use one instance for all warehouses of the process, so that it forces the name of
     *         each folder only once
     */
    public WarehouseOptions withLocalFolders(Optional<LocalFolders> localFolders)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    /**
     * Sets the folder of the local file system for a single warehouse, as {@link #withLocalFolders} does.
     */
    public WarehouseOptions withLocalRoot(Path localRoot)
    {
        return withLocalFolders(Optional.of(new LocalFolders(localRoot)));
    }

    /**
     * Sets the folders outside of the warehouse in which users may create schemas and tables.
     */
    public WarehouseOptions withAllowedLocations(List<Location> allowedLocations)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    /**
     * Sets the observer of commits.
     */
    public WarehouseOptions withObserver(CommitObserver observer)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    /**
     * Sets the source of manifests.
     *
     * @param source provides manifests on behalf of the identity of the file system of the warehouse
     */
    public WarehouseOptions withManifests(ManifestSource source)
    {
        return withManifests(ManifestOptions.of(source));
    }

    /**
     * Sets the source of manifests and their lengths.
     */
    public WarehouseOptions withManifests(ManifestOptions manifests)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    /**
     * Sets a check that each storage creates files only if they are absent. Without it, storages are not checked.
     *
     * @param probe checks each storage before the first write; use one instance for all warehouses of the process, so
     *         that it checks each storage only once
     */
    public WarehouseOptions withProbe(StorageProbe probe)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, Optional.of(probe), summary);
    }

    /**
     * Sets the limits for the retries of commits.
     */
    public WarehouseOptions withPolicy(CommitPolicy policy)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    /**
     * Sets information that each commit adds to the summary of its version.
     */
    public WarehouseOptions withSummary(Map<String, String> summary)
    {
        return new WarehouseOptions(localFolders, allowedLocations, observer, policy, manifests, probe, summary);
    }

    Map<String, String> summary()
    {
        return summary;
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
