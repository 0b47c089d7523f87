package io.albis.trino;

import com.google.common.collect.ImmutableList;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;

import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a table or a view has besides its rows.
 */
final class StoredDefinitions
{
    private StoredDefinitions() {}

    /**
     * Returns the statement that creates a table or a view, which has the comments, properties, default values, and NOT
     * NULL, and the tags of a table. The name of the catalog is not part of it.
     *
     * @param kind TABLE, VIEW, or MATERIALIZED VIEW
     * @param name names of the schema and the table
     * @return empty if there is no such table or view
     */
    static Optional<List<String>> of(QueryRunner queryRunner, String kind, String catalog, String name)
    {
        ImmutableList.Builder<String> definition = ImmutableList.builder();
        try {
            String statement = (String) queryRunner.execute("SHOW CREATE %s %s.%s".formatted(kind, catalog, name)).getOnlyValue();
            definition.add(statement.replaceFirst(" " + catalog + "\\.", " "));
        }
        catch (QueryFailedException e) {
            assertThat(e).hasMessageContaining("'%s.%s' does not exist".formatted(catalog, name));
            return Optional.empty();
        }
        if (kind.equals("TABLE")) {
            String refs = "%s.%s$refs\"".formatted(catalog, name.replaceFirst("\\.", ".\""));
            for (MaterializedRow tag : queryRunner.execute("SELECT name, snapshot_id FROM %s WHERE type = 'TAG' ORDER BY name".formatted(refs)).getMaterializedRows()) {
                definition.add(tag.getFields().toString());
            }
        }
        return Optional.of(definition.build());
    }
}
