package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Lists;
import com.google.inject.Inject;
import io.albis.table.WarehouseMaintenance;
import io.albis.table.maintenance.LostTable;
import io.albis.table.maintenance.VacuumCandidate;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.maintenance.MaintenanceErrors.translateFunction;
import static java.util.Objects.requireNonNull;

/**
 * Finds the rows of the table functions on the coordinator.
 */
public class MaintenanceFunctions
{
    private static final int ROWS_PER_SPLIT = 1000;

    private final AlbisMetadataFactory metadataFactory;

    @Inject
    public MaintenanceFunctions(AlbisMetadataFactory metadataFactory)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
    }

    public List<ConnectorSplit> splits(ConnectorSession session, MaintenanceFunctionHandle function)
    {
        ImmutableList.Builder<ConnectorSplit> splits = ImmutableList.builder();
        for (List<MaintenanceRow> rows : Lists.partition(rows(session, function), ROWS_PER_SPLIT)) {
            splits.add(new MaintenanceSplit(rows));
        }
        return splits.build();
    }

    private List<MaintenanceRow> rows(ConnectorSession session, MaintenanceFunctionHandle function)
    {
        WarehouseMaintenance maintenance = metadataFactory.openWarehouse(session).maintenance();
        return switch (function.kind()) {
            case FIND_LOST_TABLES -> translateFunction(() -> maintenance.findLostTables(function.location())).stream()
                    .map(MaintenanceFunctions::row)
                    .collect(toImmutableList());
            case VACUUM_CANDIDATES -> translateFunction(() -> maintenance.vacuumDryRun(function.location(), Instant.ofEpochMilli(function.before().orElseThrow()))).freed().stream()
                    .map(MaintenanceFunctions::row)
                    .collect(toImmutableList());
        };
    }

    private static MaintenanceRow row(LostTable table)
    {
        return new MaintenanceRow(
                table.location().toString(),
                table.schemaName(),
                table.tableName(),
                table.state().label(),
                optional(table.version()),
                optional(table.rows()),
                Optional.empty(),
                optional(table.bytes()),
                table.lastChange().map(Instant::toEpochMilli));
    }

    private static MaintenanceRow row(VacuumCandidate candidate)
    {
        return new MaintenanceRow(
                candidate.location().toString(),
                candidate.schemaName(),
                candidate.tableName(),
                candidate.reason().label(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(candidate.files()),
                Optional.of(candidate.bytes()),
                candidate.lastChange().map(Instant::toEpochMilli));
    }

    private static Optional<Long> optional(OptionalLong value)
    {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }
}
