package io.albis.table;

import io.albis.table.maintenance.LostTable;
import io.albis.table.maintenance.VacuumResult;
import io.albis.table.model.TableException;
import io.albis.table.path.Names;
import io.albis.table.version.AlbisTable;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.SCHEMA_NOT_FOUND;
import static io.albis.table.put.StorageCalls.unchecked;
import static java.util.Objects.requireNonNull;

/**
 * Administrative operations on the tables of a warehouse: registering and unregistering tables, and reclaiming space.
 * The methods throw the exceptions of {@link Warehouse}.
 */
public final class WarehouseMaintenance
{
    private final WarehouseParts parts;

    WarehouseMaintenance(WarehouseParts parts)
    {
        this.parts = requireNonNull(parts, "parts is null");
    }

    /**
     * Gives a name to a table that has none.
     *
     * @param location folder of the table
     * @throws TableException INVALID_NAME, SCHEMA_NOT_FOUND, CONFLICT, OUTCOME_UNKNOWN; ALREADY_EXISTS if the name is
     *         taken or the table has a name; INVALID_DEFINITION if the location is not valid, has no table, or has one
     *         that was dropped; LOCATION_NOT_ALLOWED; NOT_SUPPORTED if the table belongs to another warehouse
     */
    public AlbisTable registerTable(String schemaName, String tableName, String location)
    {
        Names.checkTableName(tableName);
        if (!Names.isPossible(schemaName)) {
            throw new TableException(SCHEMA_NOT_FOUND, "Schema '%s' does not exist", schemaName);
        }
        return unchecked(() -> parts.registration().register(schemaName, tableName, location));
    }

    /**
     * Removes the name of a table. Its files remain, and {@link #registerTable} gives it a name again.
     *
     * @throws TableException TABLE_NOT_FOUND if the table no longer has that name; CONFLICT, OUTCOME_UNKNOWN;
     *         NOT_SUPPORTED if the table belongs to another warehouse
     */
    public void unregisterTable(AlbisTable table)
    {
        unchecked(() -> {
            parts.naming().unregister(table);
            return null;
        });
    }

    /**
     * Finds tables to which no name refers. A table that others create, rename, or drop at the same time may be among
     * them.
     *
     * @param location folder in which to look instead of the warehouse; empty for the warehouse
     * @throws TableException INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED for the location
     */
    public List<LostTable> findLostTables(Optional<String> location)
    {
        return unchecked(() -> parts.cleaning().lostTables().find(location.map(parts.locationChecks()::checkFolder)));
    }

    /**
     * Returns what {@link #vacuum} would free, and changes nothing.
     */
    public VacuumResult vacuumDryRun(Optional<String> location, Instant before)
    {
        return unchecked(() -> parts.cleaning().vacuum().dryRun(location.map(parts.locationChecks()::checkFolder), before));
    }

    /**
     * Deletes the files of dropped tables, of loads that have failed before their first version, and of puts. If this
     * fails, it can be called again.
     *
     * @param location folder in which to look instead of the warehouse; empty for the warehouse
     * @param before tables that were dropped until this time, and files that were written until then
     * @throws TableException OUTCOME_UNKNOWN; INVALID_DEFINITION, LOCATION_NOT_ALLOWED, or NOT_SUPPORTED for the
     *         location
     */
    public VacuumResult vacuum(Optional<String> location, Instant before)
    {
        return unchecked(() -> parts.cleaning().vacuum().run(location.map(parts.locationChecks()::checkFolder), before));
    }
}
