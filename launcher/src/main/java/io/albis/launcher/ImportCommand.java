package io.albis.launcher;

import com.google.common.collect.ImmutableList;
import io.albis.launcher.importing.ImportPlan;
import io.albis.launcher.importing.ServerConnection;
import io.albis.launcher.importing.TableImport;
import io.albis.launcher.importing.TableReference;
import io.albis.launcher.server.Installation;
import io.albis.launcher.server.InterruptTasks;
import io.albis.launcher.server.LauncherException;
import io.trino.sql.tree.Property;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import static com.google.common.base.StandardSystemProperty.USER_NAME;

@Command(name = "import", description = "Imports a table of another catalog, such as Hive or Iceberg, into Albis")
public final class ImportCommand
        implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--from", required = true, paramLabel = "TABLE", description = "such as iceberg.shop.sales")
    private TableReference source;

    @Option(names = "--to", required = true, paramLabel = "TABLE", description = "such as albis.shop.sales, which must not exist")
    private TableReference target;

    @Option(names = "--with", paramLabel = "PROPERTIES", description = "table properties in addition to those of the source, or in their place, such as \"compression = 'zstd', partitioned_by = DEFAULT\"")
    private Optional<String> properties = Optional.empty();

    @Option(names = "--dry-run", description = "only checks and prints the statements")
    private boolean dryRun;

    @Option(names = "--server", paramLabel = "URI", description = "a server that is running, such as https://coordinator:8443 or jdbc:trino://coordinator:8443?SSL=true, instead of one of its own")
    private Optional<String> server = Optional.empty();

    @Option(names = "--user", paramLabel = "NAME", description = "the user of the statements; the password is in the environment variable TRINO_PASSWORD")
    private String user = USER_NAME.value();

    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        List<Property> overrides = check(() -> properties.map(ImportPlan::parseProperties).orElse(ImmutableList.of()));
        if (server.isPresent()) {
            run(check(() -> ServerConnection.of(server.orElseThrow(), user, Optional.ofNullable(System.getenv("TRINO_PASSWORD")))), InterruptTasks.ofProcess(), overrides);
            return 0;
        }
        try (ServerAccess access = ServerAccess.startOrUse(Installation.current())) {
            run(ServerConnection.of(access.uri().toString(), user, Optional.empty()), access.interruptTasks(), overrides);
        }
        return 0;
    }

    private <T> T check(Supplier<T> option)
    {
        try {
            return option.get();
        }
        catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void run(ServerConnection server, InterruptTasks interruptTasks, List<Property> overrides)
    {
        try (Connection connection = server.connect()) {
            TableImport tableImport = new TableImport(connection, System.out, interruptTasks);
            ImportPlan plan = tableImport.plan(source, target, "_import_" + UUID.randomUUID().toString().substring(0, 8), overrides);
            if (dryRun) {
                tableImport.print(plan);
            }
            else {
                tableImport.run(plan);
            }
        }
        catch (SQLException e) {
            throw new LauncherException("%s was not imported: %s".formatted(source, e.getMessage()), e);
        }
    }
}
