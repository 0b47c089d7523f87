package io.albis.trino.procedure;

import com.google.common.collect.ImmutableList;
import io.trino.spi.connector.TableProcedureMetadata;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.connector.TableProcedureExecutionMode.coordinatorOnly;
import static io.trino.spi.session.PropertyMetadata.longProperty;
import static java.util.Objects.requireNonNull;

/**
 * A procedure of ALTER TABLE EXECUTE, with the names that Iceberg gives to procedures and arguments.
 */
enum TableProcedure
{
    ROLLBACK_TO_SNAPSHOT(longProperty("snapshot_id", "Number of the version whose content the table gets", null, false));

    static final String SNAPSHOT_ID = "snapshot_id";

    private final List<PropertyMetadata<?>> arguments;

    TableProcedure(PropertyMetadata<?>... arguments)
    {
        this.arguments = ImmutableList.copyOf(requireNonNull(arguments, "arguments is null"));
    }

    TableProcedureMetadata metadata()
    {
        return new TableProcedureMetadata(name(), coordinatorOnly(), arguments);
    }
}
