package io.albis.benchmarks.server;

import com.google.common.collect.ImmutableList;
import io.albis.trino.AlbisPlugin;
import io.trino.spi.Plugin;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Options of a server besides its catalogs.
 *
 * @param sessionProperties properties that measured statements get
 * @param workers number of further servers that run all tasks; zero if the coordinator runs them
 * @param albis plugin of the catalogs of Albis
 */
public record ServerOptions(List<SessionProperty> sessionProperties, int workers, Plugin albis)
{
    public static final ServerOptions DEFAULT = new ServerOptions(ImmutableList.of(), 0, new AlbisPlugin());

    public ServerOptions
    {
        sessionProperties = ImmutableList.copyOf(sessionProperties);
        checkArgument(workers >= 0, "workers is negative");
        requireNonNull(albis, "albis is null");
    }

    public ServerOptions withSessionProperties(List<SessionProperty> sessionProperties)
    {
        return new ServerOptions(sessionProperties, workers, albis);
    }

    public ServerOptions withWorkers(int workers)
    {
        return new ServerOptions(sessionProperties, workers, albis);
    }

    public ServerOptions withAlbis(Plugin albis)
    {
        return new ServerOptions(sessionProperties, workers, albis);
    }
}
