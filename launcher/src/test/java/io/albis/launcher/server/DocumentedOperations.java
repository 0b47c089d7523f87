package io.albis.launcher.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static java.nio.file.Files.copy;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

/**
 * Runs the commands of docs/operations.md with which an operator installs and upgrades the plugin, and backs up and
 * restores a warehouse on a local disk. They need unzip and rsync.
 */
final class DocumentedOperations
{
    private static final String PAGE = "docs/operations.md";
    private static final String DOCUMENTED_VERSION = "483-1-SNAPSHOT";

    private DocumentedOperations() {}

    /**
     * Installs a zip of the plugin for the nodes of a directory.
     */
    static Installation install(Path home, Path zip)
            throws IOException, InterruptedException
    {
        Installation installation = new Installation(Installation.current().repository(), Installation.current().server(), home);
        createDirectories(installation.runtime());
        unpack(installation, zip, "commands: install");
        return installation;
    }

    /**
     * Replaces the plugin by that of a zip. All nodes have to be stopped.
     */
    static void upgrade(Installation installation, Path zip)
            throws IOException, InterruptedException
    {
        unpack(installation, zip, "commands: upgrade");
    }

    /**
     * Replaces the plugin by the one before the upgrade. All nodes have to be stopped.
     */
    static void goBack(Installation installation)
            throws IOException, InterruptedException
    {
        DocumentedBlocks.commands(PAGE, "commands: go back").in(installation.runtime()).run().checkSucceeded();
    }

    private static void unpack(Installation installation, Path zip, String commands)
            throws IOException, InterruptedException
    {
        copy(zip, installation.runtime().resolve(zip.getFileName()), REPLACE_EXISTING);
        String version = zip.getFileName().toString().replace("albis-trino-", "").replace(".zip", "");
        DocumentedBlocks.commands(PAGE, commands, DOCUMENTED_VERSION, version).in(installation.runtime()).run().checkSucceeded();
    }

    static void backUp(Path warehouse, Path backup)
            throws IOException, InterruptedException
    {
        backUpCommand(warehouse, backup).run().checkSucceeded();
    }

    static TestingCommand backUpCommand(Path warehouse, Path backup)
            throws IOException
    {
        return DocumentedBlocks.commands(PAGE, "script: backup", "/mnt/nvme/warehouse", warehouse.toString(), "/backup/warehouse", backup.toString());
    }

    /**
     * Puts a warehouse aside, and its backup in its place. All nodes have to be stopped.
     */
    static void restore(Path warehouse, Path backup)
            throws IOException, InterruptedException
    {
        DocumentedBlocks.commands(PAGE, "commands: restore", "/mnt/nvme/warehouse", warehouse.toString(), "/backup/warehouse", backup.toString())
                .run()
                .checkSucceeded();
    }

    /**
     * Returns the statements to run after a restore.
     */
    static List<String> restored()
            throws IOException
    {
        return DocumentedBlocks.statements(PAGE, "statements: restored");
    }
}
