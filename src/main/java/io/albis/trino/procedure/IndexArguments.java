package io.albis.trino.procedure;

import com.google.common.collect.ImmutableList;
import io.albis.table.version.AlbisTable;
import io.albis.trino.config.AlbisTableProperties;
import io.albis.trino.relation.IndexFields;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import static io.albis.trino.config.AlbisTableProperties.arrayProperty;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static io.trino.spi.type.VarcharType.VARCHAR;

/**
 * The argument of the procedures add_index and drop_index.
 */
final class IndexArguments
{
    private static final String COLUMNS = "columns";

    private IndexArguments() {}

    static PropertyMetadata<?> argument()
    {
        return arrayProperty(
                COLUMNS,
                "Names of the columns whose indexes change",
                VARCHAR,
                value -> AlbisTableProperties.decodeColumnNames(INVALID_PROCEDURE_ARGUMENT, "The argument columns", value),
                value -> value);
    }

    /**
     * Returns the ids of the columns.
     *
     * @throws TrinoException with code INVALID_PROCEDURE_ARGUMENT if there are none, if the table does not have a
     *         column, or if it cannot have an index
     */
    @SuppressWarnings("unchecked")
    static Set<Integer> columns(AlbisTable table, Map<String, Object> arguments)
    {
        List<String> names = Optional.ofNullable((List<String>) arguments.get(COLUMNS)).orElse(ImmutableList.of());
        if (names.isEmpty()) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "The argument columns must name at least one column, such as columns => ARRAY['a']");
        }
        return IndexFields.parse(names, table.version().columns(), "The argument columns", INVALID_PROCEDURE_ARGUMENT);
    }
}
