package io.albis.launcher.importing;

import com.google.common.base.Stopwatch;
import com.google.common.collect.ImmutableList;
import io.albis.launcher.server.InterruptTasks;
import io.albis.launcher.server.LauncherException;
import io.trino.sql.tree.Property;
import io.trino.sql.tree.QualifiedName;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.launcher.importing.SqlNames.identifier;
import static io.albis.launcher.importing.SqlNames.literal;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static io.trino.sql.SqlFormatter.formatName;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Imports a table of another catalog into an Albis catalog, over a connection to a server with both catalogs.
 */
public final class TableImport
{
    // StandardErrorCode.TABLE_NOT_FOUND, which clients see as a number
    static final int TABLE_NOT_FOUND = 46;

    private final Connection connection;
    private final PrintStream output;
    private final InterruptTasks interruptTasks;
    private volatile Statement running;
    // The copy may have its final name
    private volatile boolean renaming;
    private Optional<Aborted> aborted = Optional.empty();

    /**
     * @param outcome what has become of the import
     * @param remains what the user has to do; empty if nothing
     */
    private record Aborted(String outcome, boolean imported, String remains) {}

    public TableImport(Connection connection, PrintStream output, InterruptTasks interruptTasks)
    {
        this.connection = requireNonNull(connection, "connection is null");
        this.output = requireNonNull(output, "output is null");
        this.interruptTasks = requireNonNull(interruptTasks, "interruptTasks is null");
    }

    /**
     * Reads the definition of the source, and checks that the imported table can be created.
     *
     * @param suffix what the name of the table has at its end until the import is complete
     * @param overrides properties of the imported table that replace those of the source
     * @throws LauncherException if an Albis table cannot have one of the types or properties
     */
    public ImportPlan plan(TableReference source, TableReference target, String suffix, List<Property> overrides)
            throws SQLException
    {
        Optional<String> connector = connector(target.catalog());
        if (!connector.equals(Optional.of("albis"))) {
            throw new LauncherException("%s cannot be created: %s".formatted(target, connector.isPresent()
                    ? "'%s' is a catalog of the connector %s, and tables are imported into Albis".formatted(target.catalog(), connector.orElseThrow())
                    : "there is no catalog '%s'".formatted(target.catalog())));
        }
        String definition = queryValue("SHOW CREATE TABLE " + source).orElseThrow();
        boolean hive = connector(source.catalog()).equals(Optional.of("hive"));
        ImportPlan plan = ImportPlan.create(source, target, target.withSuffix(suffix), version(source), definition, overrides, hive);
        try {
            queryValue(plan.check());
        }
        catch (SQLException e) {
            throw new LauncherException("%s cannot be imported as %s: %s".formatted(source, target, e.getMessage()), e);
        }
        return plan;
    }

    private Optional<String> connector(String catalog)
            throws SQLException
    {
        return queryValue("SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = " + formatExpression(literal(catalog)));
    }

    /**
     * Returns the newest version of an Iceberg table, so that all queries read the same rows. A version has the columns
     * of its commit, and changes of columns commit no version. So it is not used if its columns are not those of the
     * table, or if fields of rows may have changed, whose ids are not in a plan.
     */
    private OptionalLong version(TableReference source)
            throws SQLException
    {
        if (!connector(source.catalog()).equals(Optional.of("iceberg"))) {
            return OptionalLong.empty();
        }
        QualifiedName references = QualifiedName.of(ImmutableList.of(
                source.name().getOriginalParts().get(0),
                source.name().getOriginalParts().get(1),
                identifier(source.name().getParts().get(2) + "$refs")));
        Optional<String> version = queryValue("SELECT snapshot_id FROM %s WHERE name = 'main'".formatted(formatName(references)));
        if (version.isEmpty()) {
            return OptionalLong.empty();
        }
        List<String> columns = scannedColumns(source.toString());
        if (columns.isEmpty() || columns.stream().anyMatch(column -> column.contains("row(")) || !columns.equals(scannedColumns(source + " FOR VERSION AS OF " + version.orElseThrow()))) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Long.parseLong(version.orElseThrow()));
    }

    /**
     * Returns the columns of an Iceberg table with their ids and types, as a plan shows them. A column that was dropped
     * and added again differs only in its id.
     */
    private List<String> scannedColumns(String table)
            throws SQLException
    {
        return queryValue("EXPLAIN SELECT * FROM " + table).orElseThrow().lines()
                .map(String::strip)
                .filter(line -> line.contains(" := "))
                .collect(toImmutableList());
    }

    /**
     * Prints the statements of an import.
     */
    public void print(ImportPlan plan)
    {
        // the owner of the source may have put line breaks into a property
        plan.missing().stream()
                .flatMap(missing -> ("Not imported: " + missing).lines())
                .forEach(line -> output.println("-- " + line));
        for (String statement : ImmutableList.of(plan.create(), plan.copy(), plan.checksumsOfSource(), plan.checksumsOfCopy(), plan.rename())) {
            output.println(statement + ";");
        }
    }

    /**
     * @throws LauncherException if the import fails; the target then does not exist, unless the message says that this
     *         is unknown
     */
    public void run(ImportPlan plan)
    {
        Stopwatch stopwatch = Stopwatch.createStarted();
        plan.missing().forEach(missing -> output.println("Not imported: " + missing));
        Runnable interrupted = () -> output.println(abort(plan).outcome() + abort(plan).remains());
        interruptTasks.add(interrupted);
        try {
            execute(plan.create());
            long rows = copy(plan);
            rename(plan);
            output.println(String.format(
                    ENGLISH,
                    "%s has the %,d %s of %s, and the checksums of all columns are equal. The import took %.1f s.",
                    plan.target(),
                    rows,
                    rows == 1 ? "row" : "rows",
                    plan.source(),
                    stopwatch.elapsed().toMillis() / 1e3));
        }
        catch (SQLException | LauncherException e) {
            throw new LauncherException("%s: %s%s".formatted(abort(plan).outcome(), e.getMessage(), abort(plan).remains()), e);
        }
        finally {
            interruptTasks.remove(interrupted);
        }
    }

    /**
     * Copies the rows and compares them.
     *
     * @return number of rows
     */
    private long copy(ImportPlan plan)
            throws SQLException
    {
        output.println("Copying the rows of %s ...".formatted(plan.source()));
        execute(plan.copy());
        output.println("Comparing checksums of the columns ...");
        List<Object> expected = queryRow(plan.checksumsOfSource());
        List<Object> actual = queryRow(plan.checksumsOfCopy());
        if (!expected.getFirst().equals(actual.getFirst())) {
            throw new LauncherException("it has %s rows, and its copy has %s. If others have written to it meanwhile, try again".formatted(expected.getFirst(), actual.getFirst()));
        }
        String different = differences(plan, expected, actual);
        if (!different.isEmpty()) {
            throw new LauncherException("the checksums of its copy differ in these columns: %s. If others have written to it meanwhile, try again".formatted(different));
        }
        return (long) expected.getFirst();
    }

    /**
     * Gives the copy its final name. The answer of the server may be lost.
     */
    private void rename(ImportPlan plan)
            throws SQLException
    {
        renaming = true;
        try {
            execute(plan.rename());
        }
        catch (SQLException e) {
            if (!abort(plan).imported()) {
                throw e;
            }
        }
    }

    private static String differences(ImportPlan plan, List<Object> expected, List<Object> actual)
    {
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (int column = 0; column < plan.columns().size(); column++) {
            if (!Objects.deepEquals(expected.get(column + 1), actual.get(column + 1))) {
                names.add(formatName(plan.columns().get(column).getName()));
            }
        }
        return String.join(", ", names.build());
    }

    /**
     * Ends the statement that runs and drops the copy, unless the copy already has its final name. After Ctrl-C, two
     * threads call this. One of them does it, and the other one waits.
     */
    private synchronized Aborted abort(ImportPlan plan)
    {
        if (aborted.isEmpty()) {
            aborted = Optional.of(drop(plan));
        }
        return aborted.get();
    }

    private Aborted drop(ImportPlan plan)
    {
        Aborted dropped = new Aborted("%s was not imported".formatted(plan.source()), false, "");
        try {
            Statement statement = running;
            if (statement != null) {
                statement.cancel();
            }
            execute(plan.drop());
            return dropped;
        }
        catch (SQLException e) {
            if (e.getErrorCode() == TABLE_NOT_FOUND) {
                // Only the import knows the name of the copy
                return renaming ? new Aborted("%s was imported".formatted(plan.source()), true, "") : dropped;
            }
            if (renaming) {
                return new Aborted("It is unknown whether %s was imported".formatted(plan.source()), false, ". It was imported unless its copy %s still exists, which could not be dropped: %s".formatted(plan.staging(), e.getMessage()));
            }
            return new Aborted(dropped.outcome(), false, ". Its copy %s could not be dropped: %s".formatted(plan.staging(), e.getMessage()));
        }
    }

    private void execute(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            running = statement;
            statement.execute(sql);
        }
        finally {
            running = null;
        }
    }

    private List<Object> queryRow(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            running = statement;
            try (ResultSet rows = statement.executeQuery(sql)) {
                rows.next();
                List<Object> values = new ArrayList<>();
                for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                    values.add(rows.getObject(column));
                }
                return values;
            }
        }
        finally {
            running = null;
        }
    }

    /**
     * Returns the only value; empty if there is no row.
     */
    private Optional<String> queryValue(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
        }
    }
}
