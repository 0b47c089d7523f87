package io.albis.launcher.importing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.server.LauncherException;
import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.ColumnDefinition;
import io.trino.sql.tree.CreateTable;
import io.trino.sql.tree.CreateTableAsSelect;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.Property;
import io.trino.sql.tree.Query;
import io.trino.sql.tree.TableElement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.launcher.importing.SqlNames.NO_TEXT;
import static io.trino.sql.SqlFormatter.formatName;
import static io.trino.sql.SqlFormatter.formatSql;
import static io.trino.sql.tree.SaveMode.FAIL;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;
import static java.util.regex.Pattern.CASE_INSENSITIVE;
import static java.util.stream.Collectors.joining;

/**
 * The statements that import a table. The rows are first in a table with another name, which gets its final name when
 * they have been compared. So the imported table exists completely or not at all.
 *
 * @param staging the table with the other name
 * @param version the version of the source that is read; empty if it has none
 * @param missing descriptions of what an Albis table cannot have
 */
public record ImportPlan(
        TableReference source,
        TableReference target,
        TableReference staging,
        OptionalLong version,
        List<ColumnDefinition> columns,
        Optional<String> comment,
        Map<String, Expression> properties,
        List<String> missing)
{
    private static final Pattern ROUNDED_TIMESTAMP = Pattern.compile("timestamp\\([0-8]\\)", CASE_INSENSITIVE);

    public ImportPlan
    {
        requireNonNull(source, "source is null");
        requireNonNull(target, "target is null");
        requireNonNull(staging, "staging is null");
        requireNonNull(version, "version is null");
        columns = ImmutableList.copyOf(columns);
        requireNonNull(comment, "comment is null");
        properties = ImmutableMap.copyOf(properties);
        missing = ImmutableList.copyOf(missing);
    }

    /**
     * @param definition what SHOW CREATE TABLE returns for the source
     * @param overrides properties of the imported table that replace those of the source
     * @param hive whether the source is a table of Hive, whose timestamps are rounded to the precision of the session
     * @throws LauncherException if an Albis table cannot have one of the types
     */
    static ImportPlan create(TableReference source, TableReference target, TableReference staging, OptionalLong version, String definition, List<Property> overrides, boolean hive)
    {
        CreateTable table = (CreateTable) new SqlParser().createStatement(definition);
        TableProperties.Mapped mapped = TableProperties.map(table);
        Map<String, Expression> properties = new LinkedHashMap<>(mapped.properties());
        for (Property property : overrides) {
            // Trino does not distinguish their case
            String name = property.getName().getValue().toLowerCase(ENGLISH);
            if (property.isSetToDefault()) {
                properties.remove(name);
            }
            else {
                properties.put(name, property.getNonDefaultValue());
            }
        }
        ImmutableList.Builder<ColumnDefinition> columns = ImmutableList.builder();
        ImmutableList.Builder<String> missing = ImmutableList.<String>builder().addAll(mapped.missing());
        for (TableElement element : table.getElements()) {
            ColumnDefinition column = (ColumnDefinition) element;
            if (column.getType().toString().equalsIgnoreCase("number")) {
                // CREATE TABLE AS would replace the type by a decimal that does not have all of its values
                throw new LauncherException("%s cannot be imported as %s: Column %s has type number, which an Albis table cannot hold. Cast it to a decimal in a CREATE TABLE AS".formatted(source, target, formatName(column.getName())));
            }
            columns.add(new ColumnDefinition(column.getName(), column.getType(), column.getDefaultValue(), column.isNullable(), ImmutableList.of(), column.getComment()));
            if (hive && ROUNDED_TIMESTAMP.matcher(column.getType().toString()).find()) {
                missing.add("column %s: further digits of times than those of its type. The property timestamp_precision of the session decides about them".formatted(formatName(column.getName())));
            }
            column.getProperties().forEach(property -> missing.add("column %s: %s".formatted(formatName(column.getName()), property.getName().getValue())));
        }
        return new ImportPlan(source, target, staging, version, columns.build(), table.getComment(), properties, missing.build());
    }

    /**
     * Parses properties as in the WITH clause of CREATE TABLE.
     *
     * @throws IllegalArgumentException if the text is not such properties
     */
    public static List<Property> parseProperties(String text)
    {
        try {
            CreateTable table = (CreateTable) new SqlParser().createStatement("CREATE TABLE a (a integer) WITH (%s\n)".formatted(text));
            return table.getProperties();
        }
        catch (ParsingException e) {
            throw new IllegalArgumentException("Not table properties: '%s'. They look like compression = 'zstd', row_group_size = '64MB'".formatted(text), e);
        }
    }

    /**
     * Returns a statement that the server plans and does not run. It fails if the target exists, if its schema does
     * not, or if an Albis table cannot have one of the types or properties.
     */
    String check()
    {
        Query query = (Query) new SqlParser().createStatement("SELECT %s FROM %s%s".formatted(columnNames(), source, versionClause()));
        return "EXPLAIN " + formatSql(new CreateTableAsSelect(NO_TEXT, target.name(), query, FAIL, propertyList(), true, Optional.empty(), comment));
    }

    String create()
    {
        return formatSql(new CreateTable(NO_TEXT, staging.name(), ImmutableList.copyOf(columns), FAIL, propertyList(), comment));
    }

    String copy()
    {
        return "INSERT INTO %s (%s)\nSELECT %s\nFROM %s%s".formatted(staging, columnNames(), columnNames(), source, versionClause());
    }

    /**
     * Returns a query for the number of rows and the checksum of each column.
     */
    String checksumsOfSource()
    {
        return checksums(source + versionClause());
    }

    String checksumsOfCopy()
    {
        return checksums(staging.toString());
    }

    private String checksums(String table)
    {
        return columns.stream()
                .map(column -> ", checksum(%s)".formatted(formatName(column.getName())))
                .collect(joining("", "SELECT count(*)", "\nFROM %s".formatted(table)));
    }

    String rename()
    {
        return "ALTER TABLE %s RENAME TO %s".formatted(staging, target);
    }

    String drop()
    {
        return "DROP TABLE " + staging;
    }

    private String columnNames()
    {
        return columns.stream()
                .map(column -> formatName(column.getName()))
                .collect(joining(", "));
    }

    private String versionClause()
    {
        return version.isPresent() ? " FOR VERSION AS OF " + version.getAsLong() : "";
    }

    private List<Property> propertyList()
    {
        return properties.entrySet().stream()
                .map(property -> new Property(NO_TEXT, new Identifier(property.getKey()), property.getValue()))
                .collect(toImmutableList());
    }
}
