package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.LocalServer;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.concurrent.Callable;

@Command(name = "server", description = "Runs the server until Ctrl-C")
public final class ServerCommand
        implements Callable<Integer>
{
    @Override
    public Integer call()
            throws IOException, InterruptedException
    {
        Installation installation = Installation.current();
        try (LocalServer server = ServerAccess.startExclusive(installation, true)) {
            System.out.println("Data: %s (as local:/// in catalogs)".formatted(installation.data()));
            System.out.println("Log:  %s".formatted(server.log()));
            System.out.println("Query it with: bin/albis sql. Ctrl-C stops it.");
            int exitCode = server.await();
            throw new LauncherException("The server exited unexpectedly with code %s. Log: %s".formatted(exitCode, server.log()));
        }
    }
}
