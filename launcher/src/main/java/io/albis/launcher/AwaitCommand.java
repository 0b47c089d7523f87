package io.albis.launcher;

import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.ServerProbe;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Waits until the coordinator lists the expected number of nodes. A coordinator accepts queries before its workers have
 * registered.
 */
@Command(name = "await", hidden = true, description = "Waits until a cluster is complete")
public final class AwaitCommand
        implements Callable<Integer>
{
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Option(names = "--server", required = true, paramLabel = "URI")
    private URI server;

    @Option(names = "--nodes", required = true, paramLabel = "NUMBER", description = "coordinator and workers")
    private int nodes;

    @Override
    public Integer call()
            throws InterruptedException
    {
        long start = System.nanoTime();
        int found = 0;
        try (ServerProbe probe = new ServerProbe(server)) {
            while (System.nanoTime() - start < LIMIT.toNanos()) {
                found = probe.isReady() ? activeNodes() : 0;
                if (found >= nodes) {
                    System.out.println("Trino is ready with %s %s after %s s".formatted(found, found == 1 ? "node" : "nodes", NANOSECONDS.toSeconds(System.nanoTime() - start)));
                    return 0;
                }
                Thread.sleep(200);
            }
        }
        throw new LauncherException("The server at %s has %s of %s nodes after %s minutes".formatted(server, found, nodes, LIMIT.toMinutes()));
    }

    private int activeNodes()
    {
        try (Connection connection = DriverManager.getConnection("jdbc:trino://%s:%s?user=albis".formatted(server.getHost(), server.getPort()));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'")) {
            rows.next();
            return rows.getInt(1);
        }
        catch (SQLException _) {
            // The server may have become unavailable again
            return 0;
        }
    }
}
