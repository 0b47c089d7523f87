package io.albis.launcher;

import io.albis.launcher.server.Installation;
import io.albis.launcher.server.LauncherException;
import io.albis.launcher.server.RunningServer;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Prints the address of the running server, for the command line client.
 */
@Command(name = "address", hidden = true, description = "Prints the address of the running server")
public final class AddressCommand
        implements Callable<Integer>
{
    @Override
    public Integer call()
            throws IOException
    {
        RunningServer server = RunningServer.find(Installation.current())
                .orElseThrow(() -> new LauncherException("No server is running. Start one in another terminal: bin/albis server"));
        System.out.println(server.uri());
        return 0;
    }
}
