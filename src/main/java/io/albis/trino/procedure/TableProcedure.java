package io.albis.trino.procedure;

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.TableProcedureExecutionMode;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.connector.TableProcedureExecutionMode.coordinatorOnly;
import static io.trino.spi.connector.TableProcedureExecutionMode.distributedWithFilteringAndRepartitioning;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;
import static java.util.Objects.requireNonNull;

/**
 * A procedure of ALTER TABLE EXECUTE. Procedures that Iceberg also has use the same names. SET_NOT_NULL exists because
 * the engine has a statement for the opposite only.
 */
enum TableProcedure
{
    ROLLBACK_TO_SNAPSHOT(longProperty("snapshot_id", "Number of the version whose content the table gets", null, false)),
    CREATE_TAG(
            stringProperty("name", "Name of the tag", null, false),
            longProperty("snapshot_id", "Number of the version that gets the name, or null for the newest one", null, false)),
    DROP_TAG(stringProperty("name", "Name of the tag", null, false)),
    EXPIRE_SNAPSHOTS(ExpireSnapshots.arguments()),
    REMOVE_ORPHAN_FILES(RemoveOrphanFiles.argument()),
    SET_NOT_NULL(stringProperty("column_name", "Name of the column that must not be null any more", null, false)),
    OPTIMIZE(distributedWithFilteringAndRepartitioning(), Optimize.arguments()),
    REGROUP(distributedWithFilteringAndRepartitioning(), Regroup.arguments()),
    ADD_INDEX(distributedWithFilteringAndRepartitioning(), IndexArguments.argument()),
    DROP_INDEX(distributedWithFilteringAndRepartitioning(), IndexArguments.argument());

    static final String SNAPSHOT_ID = "snapshot_id";
    static final String NAME = "name";
    static final String COLUMN_NAME = "column_name";

    private final TableProcedureExecutionMode mode;
    private final List<PropertyMetadata<?>> arguments;

    TableProcedure(PropertyMetadata<?>... arguments)
    {
        this(coordinatorOnly(), arguments);
    }

    TableProcedure(TableProcedureExecutionMode mode, PropertyMetadata<?>... arguments)
    {
        this.mode = requireNonNull(mode, "mode is null");
        this.arguments = ImmutableList.copyOf(requireNonNull(arguments, "arguments is null"));
    }

    TableProcedureMetadata metadata()
    {
        return new TableProcedureMetadata(name(), mode, arguments);
    }
}
