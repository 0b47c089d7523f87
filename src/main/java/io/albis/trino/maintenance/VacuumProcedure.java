package io.albis.trino.maintenance;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.albis.table.WarehouseMaintenance;
import io.albis.table.maintenance.VacuumCandidate;
import io.albis.table.maintenance.VacuumResult;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.procedure.Procedure.Argument;

import java.lang.invoke.MethodHandle;
import java.time.Instant;
import java.util.Optional;

import static io.airlift.slice.Slices.utf8Slice;
import static io.albis.trino.maintenance.MaintenanceErrors.translateProcedure;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.invoke.MethodHandles.lookup;
import static java.util.Objects.requireNonNull;

/**
 * The procedure vacuum, which frees the space of dropped tables and failed loads. CALL returns no rows, so the log
 * shows what it has freed, and {@link VacuumCandidatesFunction} shows in advance what it would free.
 */
public class VacuumProcedure
{
    private static final Logger log = Logger.get(VacuumProcedure.class);
    private static final MethodHandle VACUUM;

    static {
        try {
            VACUUM = lookup().unreflect(VacuumProcedure.class.getMethod("vacuum", String.class, boolean.class, String.class, ConnectorSession.class));
        }
        catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final AlbisMetadataFactory metadataFactory;

    @Inject
    public VacuumProcedure(AlbisMetadataFactory metadataFactory)
    {
        this.metadataFactory = requireNonNull(metadataFactory, "metadataFactory is null");
    }

    public Procedure procedure()
    {
        return new Procedure(
                "system",
                "vacuum",
                ImmutableList.of(
                        new Argument(VacuumRetention.ARGUMENT, VARCHAR, false, utf8Slice(VacuumRetention.DEFAULT)),
                        new Argument("DRY_RUN", BOOLEAN, false, false),
                        new Argument("LOCATION", VARCHAR, false, null)),
                VACUUM.bindTo(this));
    }

    // The session comes last, because the engine checks for null by the positions of the arguments without it
    public void vacuum(String retentionThreshold, boolean dryRun, String location, ConnectorSession session)
    {
        Instant before = VacuumRetention.begin(session, retentionThreshold, INVALID_PROCEDURE_ARGUMENT);
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
            WarehouseMaintenance maintenance = metadataFactory.openWarehouse(session).maintenance();
            Optional<String> folder = Optional.ofNullable(location);
            VacuumResult result = translateProcedure(() -> dryRun ? maintenance.vacuumDryRun(folder, before) : maintenance.vacuum(folder, before));
            String verb = dryRun ? "would free" : "has freed";
            for (VacuumCandidate candidate : result.freed()) {
                log.info("Query %s: vacuum %s %s files with %s bytes of %s (%s)", session.getQueryId(), verb, candidate.files(), candidate.bytes(), candidate.location(), candidate.reason().label());
            }
            log.info("Query %s: vacuum %s %s files with %s bytes in %s folders", session.getQueryId(), verb, result.files(), result.bytes(), result.freed().size());
        }
    }
}
