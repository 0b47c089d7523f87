package io.albis.launcher.server;

import io.trino.server.Server;

/**
 * The main class of the server process. Trino's own main class is in an archive that is not on Maven Central.
 */
public final class TrinoServer
{
    static final String LAUNCHER_PID_PROPERTY = "albis.launcher.pid";

    private TrinoServer() {}

    static void main()
    {
        exitWithLauncher();
        new Server().start(Server.class.getPackage().getImplementationVersion());
    }

    /**
     * Ends the server when the launcher exits. A launcher that is killed cannot stop its server, which would otherwise
     * keep running unnoticed.
     */
    private static void exitWithLauncher()
    {
        Long pid = Long.getLong(LAUNCHER_PID_PROPERTY);
        if (pid == null) {
            return;
        }
        ProcessHandle.of(pid).ifPresentOrElse(
                launcher -> launcher.onExit().thenRun(() -> System.exit(1)),
                () -> System.exit(1));
    }
}
