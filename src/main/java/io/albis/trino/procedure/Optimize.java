package io.albis.trino.procedure;

import io.airlift.units.DataSize;
import io.albis.trino.config.AlbisTableProperties;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.trino.config.AlbisTableProperties.ROW_GROUP_SIZE;
import static io.albis.trino.config.AlbisTableProperties.SORTED_BY;
import static io.albis.trino.config.AlbisTableProperties.arrayProperty;
import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The arguments of the procedure optimize.
 */
final class Optimize
{
    private Optimize() {}

    static PropertyMetadata<?>[] arguments()
    {
        return new PropertyMetadata<?>[] {
                dataSizeProperty(
                        ROW_GROUP_SIZE,
                        "Size of a full row group; the default is that of the table",
                        null,
                        value -> AlbisTableProperties.checkRowGroupSize(INVALID_PROCEDURE_ARGUMENT, value),
                        false),
                arrayProperty(
                        SORTED_BY,
                        "Columns by which each writer sorts its rows, of all selected row groups; the default is the order of the table",
                        VARCHAR,
                        value -> AlbisTableProperties.decodeSortedBy(INVALID_PROCEDURE_ARGUMENT, value),
                        value -> value),
        };
    }

    /**
     * @return empty for the size that the table sets
     */
    static Optional<DataSize> rowGroupSize(Map<String, Object> arguments)
    {
        return AlbisTableProperties.getRowGroupSize(arguments);
    }

    /**
     * @return empty for the order that the table sets
     */
    static List<String> sortedBy(Map<String, Object> arguments)
    {
        return AlbisTableProperties.getSortedBy(arguments);
    }
}
