package io.albis.trino.relation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import io.albis.table.Warehouse;
import io.albis.table.model.TableVersion;
import io.albis.table.version.AlbisTable;
import io.albis.table.version.TableHistory;
import io.albis.trino.handle.AlbisTableHandle;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.SchemaTableName;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import static io.albis.trino.error.AlbisErrors.translate;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static java.util.Objects.requireNonNull;

/**
 * Loads the tables of one transaction. Each table is loaded once, so a query sees one version of it, no matter what
 * other queries commit in the meantime.
 */
public class TableLoader
{
    private final Warehouse warehouse;
    private final ConcurrentMap<SchemaTableName, Optional<AlbisTable>> tables = new ConcurrentHashMap<>();
    // versions that queries name, which are immutable
    private final ConcurrentMap<ChosenVersion, AlbisTable> chosen = new ConcurrentHashMap<>();

    // tables of which this transaction has read the newest version
    private final QueryReads.Reader reads;
    // scans whose results are constants of a plan
    private final Set<AlbisTableHandle> answered = ConcurrentHashMap.newKeySet();

    private record ChosenVersion(UUID table, long version) {}

    /**
     * Creates a loader for a transaction in which no other catalog takes part.
     */
    public TableLoader(Warehouse warehouse)
    {
        this(warehouse, new QueryReads().begin("single", new CatalogName("single")));
    }

    public TableLoader(Warehouse warehouse, QueryReads.Reader reads)
    {
        this.warehouse = requireNonNull(warehouse, "warehouse is null");
        this.reads = requireNonNull(reads, "reads is null");
    }

    /**
     * Returns the version of a table that this transaction sees, or empty if there is no such table.
     *
     * @throws io.trino.spi.TrinoException if the table cannot be loaded
     */
    public Optional<AlbisTable> find(SchemaTableName name)
    {
        return findRelation(name).filter(relation -> !relation.version().isView());
    }

    /**
     * Returns the version of a view that this transaction sees, or empty if there is no such view, or only a
     * materialized one.
     *
     * @throws io.trino.spi.TrinoException if the table or view of this name cannot be loaded
     */
    public Optional<AlbisTable> findView(SchemaTableName name)
    {
        return findRelation(name).filter(relation -> relation.version().isView() && !relation.version().isMaterializedView());
    }

    /**
     * Returns the version of a materialized view that this transaction sees, or empty if there is no such one.
     *
     * @throws io.trino.spi.TrinoException if the table or view of this name cannot be loaded
     */
    public Optional<AlbisTable> findMaterializedView(SchemaTableName name)
    {
        return findRelation(name).filter(relation -> relation.version().isMaterializedView());
    }

    /**
     * Returns the version of a table or materialized view that this transaction sees, or empty if there is neither.
     *
     * @throws io.trino.spi.TrinoException if the table or view of this name cannot be loaded
     */
    public Optional<AlbisTable> findStored(SchemaTableName name)
    {
        return findRelation(name).filter(relation -> !relation.version().isView() || relation.version().isMaterializedView());
    }

    /**
     * Returns the materialized view to which a storage table belongs, and keeps it for {@link #load}.
     *
     * @return empty if the name is not that of the storage table of a materialized view
     * @throws io.trino.spi.TrinoException if the table or view of this name cannot be loaded
     */
    public Optional<AlbisTable> findStorage(SchemaTableName name)
    {
        if (!StorageTables.isStorage(name)) {
            return Optional.empty();
        }
        Optional<AlbisTable> view = findMaterializedView(StorageTables.baseOf(name));
        view.ifPresent(found -> chosen.put(new ChosenVersion(found.uuid(), found.version().version()), found));
        return view;
    }

    /**
     * Returns the version of a table or view that this transaction sees, or empty if there is neither.
     *
     * @throws io.trino.spi.TrinoException if it cannot be loaded
     */
    public Optional<AlbisTable> findRelation(SchemaTableName name)
    {
        Optional<AlbisTable> known = tables.get(name);
        if (known != null) {
            return known;
        }
        // not within computeIfAbsent, which could block the load of other tables until this one is loaded
        Optional<AlbisTable> loaded = read(name);
        known = tables.putIfAbsent(name, loaded);
        return known == null ? loaded : known;
    }

    /**
     * Returns the same as {@link #findRelation}, for a listing of many tables. A table that is loaded only for a
     * listing is not kept in memory.
     */
    public Optional<AlbisTable> findForListing(SchemaTableName name)
    {
        Optional<AlbisTable> known = tables.get(name);
        return known == null ? read(name) : known;
    }

    private Optional<AlbisTable> read(SchemaTableName name)
    {
        return translate(() -> warehouse.loadTable(name.getSchemaName(), name.getTableName()));
    }

    /**
     * Notes that the transaction reads rows of a table.
     */
    public void scan(AlbisTableHandle handle)
    {
        if (!handle.chosen()) {
            reads.add(handle.tableId(), handle.version());
        }
    }

    /**
     * Notes that a plan has a result that was made from the rows of a scan, even if these are not read. This result may
     * show the optimizer that a part of the plan has no rows, which may be the part with the scan.
     */
    public void answer(AlbisTableHandle scan)
    {
        scan(scan);
        answered.add(scan);
    }

    /**
     * Returns the handles of all scans on which a statement depends.
     *
     * @param ofPlan handles of the scans that its plan has
     */
    public List<ConnectorTableHandle> sources(List<ConnectorTableHandle> ofPlan)
    {
        // a plan can have several scans with the same handle, and their number matters
        return ImmutableList.<ConnectorTableHandle>builder()
                .addAll(ofPlan)
                .addAll(Sets.difference(answered, ImmutableSet.copyOf(ofPlan)))
                .build();
    }

    /**
     * Returns whether the statement may have read rows of the version of a table that it changes, in this or in another
     * catalog with the same warehouse. This does not include a version that the statement names.
     *
     * @throws TrinoException with code TRANSACTION_CONFLICT if it has read another version of the table
     */
    public boolean isScanned(AlbisTable table)
    {
        boolean elsewhere = isScannedElsewhere(table);
        return isScanned(table, reads.versions(table.uuid())) || elsewhere;
    }

    /**
     * Returns whether the statement may have read rows in another catalog, like {@link #isScanned}.
     */
    public boolean isScannedElsewhere(AlbisTable table)
    {
        return isScanned(table, reads.versionsElsewhere(table.uuid()));
    }

    private static boolean isScanned(AlbisTable table, Set<Long> versions)
    {
        for (long version : versions) {
            if (version != table.version().version()) {
                // a conflict is found only with the changes since the version that the statement changes
                throw new TrinoException(TRANSACTION_CONFLICT, "Another transaction has changed table '%s.%s' while this statement was planned, so it has read version %s and would change version %s. Retry the statement".formatted(table.schemaName(), table.tableName(), version, table.version().version()));
            }
        }
        return !versions.isEmpty();
    }

    /**
     * Forgets what the transaction has read. This must be called when it ends.
     */
    public void end()
    {
        reads.end();
    }

    /**
     * Returns another version of a table, and keeps it for {@link #load}.
     */
    public AlbisTable at(AlbisTable table, TableVersion version)
    {
        if (version.version() == table.version().version()) {
            return table;
        }
        return chosen.computeIfAbsent(new ChosenVersion(table.uuid(), version.version()), _ -> warehouse.at(table, version));
    }

    /**
     * Returns the versions of a table that exist, up to the one that this transaction sees.
     */
    public TableHistory history(AlbisTable table)
    {
        return warehouse.history(table);
    }

    /**
     * Returns the version of a table that a handle names.
     *
     * @throws io.trino.spi.TrinoException if the table cannot be loaded
     */
    public AlbisTable load(AlbisTableHandle handle)
    {
        Optional<AlbisTable> table = tables.getOrDefault(handle.schemaTableName(), Optional.empty());
        if (table.isPresent() && table.get().uuid().equals(handle.tableId()) && table.get().version().version() == handle.version()) {
            return table.get();
        }
        AlbisTable known = chosen.get(new ChosenVersion(handle.tableId(), handle.version()));
        if (known != null) {
            return known;
        }
        // the handle comes from a different transaction
        return translate(() -> warehouse.loadTableVersion(
                handle.schemaName(),
                handle.tableName(),
                Location.of(handle.folder()),
                handle.tableId(),
                handle.version()));
    }

    /**
     * Forgets the version of a table. This must be called after each change that this transaction makes to the table.
     */
    public void forget(SchemaTableName name)
    {
        tables.remove(name);
    }

    /**
     * Forgets the tables of schemas. This must be called after this transaction has renamed a schema.
     */
    public void forgetSchemas(Set<String> schemaNames)
    {
        tables.keySet().removeIf(name -> schemaNames.contains(name.getSchemaName()));
    }
}
