package io.albis.launcher.importing;

import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.NodeLocation;
import io.trino.sql.tree.StringLiteral;

import java.util.regex.Pattern;

import static io.trino.sql.ExpressionFormatter.formatExpression;

/**
 * Names and texts in statements and in table properties.
 */
final class SqlNames
{
    /**
     * The location of a part of a statement that no text contains.
     */
    static final NodeLocation NO_TEXT = new NodeLocation(1, 1);

    private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_]*");

    private SqlNames() {}

    static Identifier identifier(String name)
    {
        return new Identifier(name, !PLAIN_NAME.matcher(name).matches());
    }

    static StringLiteral literal(String value)
    {
        return new StringLiteral(NO_TEXT, value);
    }

    /**
     * Returns a column in a property such as {@code sorted_by}, with double quotes if it needs them.
     */
    static String columnInProperty(String name)
    {
        return PLAIN_NAME.matcher(name).matches() ? name : formatExpression(new Identifier(name, true));
    }
}
