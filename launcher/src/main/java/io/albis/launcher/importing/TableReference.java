package io.albis.launcher.importing;

import com.google.common.collect.ImmutableList;
import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.QualifiedName;
import io.trino.sql.tree.ShowCreate;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.sql.SqlFormatter.formatName;
import static java.util.Objects.requireNonNull;

/**
 * The name of a table with its catalog and schema.
 */
public record TableReference(QualifiedName name)
{
    public TableReference
    {
        requireNonNull(name, "name is null");
        checkArgument(name.getParts().size() == 3, "%s does not have three parts", name);
    }

    /**
     * Parses a name as SQL writes it, with double quotes where SQL needs them.
     *
     * @throws IllegalArgumentException if the text is not the name of a table with its catalog and schema
     */
    public static TableReference parse(String text)
    {
        try {
            if (new SqlParser().createStatement("SHOW CREATE TABLE " + text) instanceof ShowCreate statement && statement.getName().getParts().size() == 3) {
                return new TableReference(statement.getName());
            }
        }
        catch (ParsingException _) {
            // the message would be about a statement that the user does not know
        }
        throw new IllegalArgumentException("Not a table with its catalog and schema: '%s'. It looks like iceberg.shop.sales".formatted(text));
    }

    public String catalog()
    {
        return name.getParts().get(0);
    }

    /**
     * Returns a table of the same schema with a longer name.
     */
    TableReference withSuffix(String suffix)
    {
        return new TableReference(QualifiedName.of(ImmutableList.<Identifier>builder()
                .addAll(name.getOriginalParts().subList(0, 2))
                .add(SqlNames.identifier(name.getParts().get(2) + suffix))
                .build()));
    }

    @Override
    public String toString()
    {
        return formatName(name);
    }
}
