package io.albis.trino.procedure;

import io.airlift.units.DataSize;
import io.albis.trino.config.AlbisTableProperties;
import io.trino.spi.session.PropertyMetadata;

import java.util.Map;
import java.util.Optional;

import static io.albis.trino.config.AlbisTableProperties.ROW_GROUP_SIZE;
import static io.trino.plugin.base.session.PropertyMetadataUtil.dataSizeProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;

/**
 * The arguments of the procedure optimize.
 */
final class Optimize
{
    private Optimize() {}

    static PropertyMetadata<?> argument()
    {
        return dataSizeProperty(
                ROW_GROUP_SIZE,
                "Size of a full row group; the default is that of the table",
                null,
                value -> AlbisTableProperties.checkRowGroupSize(INVALID_PROCEDURE_ARGUMENT, value),
                false);
    }

    /**
     * @return empty for the size that the table sets
     */
    static Optional<DataSize> rowGroupSize(Map<String, Object> arguments)
    {
        return AlbisTableProperties.getRowGroupSize(arguments);
    }
}
