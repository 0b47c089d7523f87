package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisPlugin;
import io.trino.spi.Plugin;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/**
 * Options of a server besides its catalogs.
 *
 * @param sessionProperties properties that measured statements get
 * @param workers number of further servers that run all tasks; zero if the coordinator runs them
 * @param separate whether each server is a process of its own, and not in this process
 * @param albis plugin of the catalogs of Albis, if the servers are in this process
 */
public record ServerOptions(List<SessionProperty> sessionProperties, int workers, boolean separate, Plugin albis)
{
    public static final ServerOptions DEFAULT = new ServerOptions(ImmutableList.of(), 0, false, new AlbisPlugin());

    public ServerOptions
    {
        sessionProperties = ImmutableList.copyOf(sessionProperties);
        checkArgument(workers >= 0, "workers is negative");
        requireNonNull(albis, "albis is null");
    }

    public ServerOptions withSessionProperties(List<SessionProperty> sessionProperties)
    {
        return new ServerOptions(sessionProperties, workers, separate, albis);
    }

    public ServerOptions withWorkers(int workers)
    {
        return new ServerOptions(sessionProperties, workers, separate, albis);
    }

    public ServerOptions withSeparateProcesses(boolean separate)
    {
        return new ServerOptions(sessionProperties, workers, separate, albis);
    }

    public ServerOptions withAlbis(Plugin albis)
    {
        return new ServerOptions(sessionProperties, workers, separate, albis);
    }

    /**
     * Returns the number of servers that run tasks.
     */
    int taskServers()
    {
        return Math.max(1, workers);
    }

    /**
     * Returns the heap of a server in a separate process. The servers that run tasks together have as much as this
     * process, so that the heap does not depend on their number.
     */
    long separateHeapBytes()
    {
        return Runtime.getRuntime().maxMemory() / taskServers();
    }

    /**
     * Describes the servers for a report.
     */
    public String describe()
    {
        String servers = switch (workers) {
            case 0 -> "a coordinator that also runs tasks, ";
            case 1 -> "a coordinator and a worker that runs tasks, ";
            default -> "a coordinator and %s workers that run tasks, ".formatted(workers);
        };
        if (!separate) {
            return servers + "in the process of the benchmark";
        }
        return "%s%sin a process of its own with a heap of %s".formatted(
                servers,
                workers == 0 ? "" : "each ",
                String.format(ENGLISH, "%.1f GB", separateHeapBytes() / 1e9));
    }
}
