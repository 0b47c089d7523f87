package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;

/**
 * A virtual environment of Python with the packages of a requirements file.
 */
record TestingPython(Path folder)
{
    // The versions that the packages of the tests support
    static final String OLDEST = "3.9";
    static final String NEWEST = "3.13";

    private static final List<String> NAMES = ImmutableList.of("python3", "python3.13", "python3.12", "python3.11", "python3.10", "python3.9");
    // venv needs ensurepip, which Debian has in a separate package
    private static final String CHECK = "import ensurepip, sys, venv; sys.exit(not (%s) <= sys.version_info[:2] <= (%s))"
            .formatted(OLDEST.replace('.', ','), NEWEST.replace('.', ','));

    TestingPython
    {
        requireNonNull(folder, "folder is null");
    }

    /**
     * Finds a Python that can create virtual environments and has a supported version.
     */
    static Optional<String> find()
            throws InterruptedException
    {
        for (String name : NAMES) {
            try {
                if (TestingCommand.of(name, "-c", CHECK).run().exitCode() == 0) {
                    return Optional.of(name);
                }
            }
            catch (IOException _) {
                // There is no such command
            }
        }
        return Optional.empty();
    }

    /**
     * Creates an environment, or returns the one that an earlier run has created with the same Python and packages.
     */
    static TestingPython install(Path folder, Path requirements)
            throws IOException, InterruptedException
    {
        String python = find().orElseThrow();
        String content = TestingCommand.of(python, "-c", "import sys; print(sys.base_prefix, sys.version)").run().checkSucceeded().output() + readString(requirements);
        TestingPython environment = new TestingPython(folder);
        Path installed = folder.resolve("installed");
        if (!Files.exists(installed) || !readString(installed).equals(content)) {
            createDirectories(folder);
            DocumentedBlocks.commands(
                            "docs/dbt.md",
                            "commands: install",
                            "python3 -m venv dbt",
                            "%s -m venv --clear '%s'".formatted(python, folder),
                            "dbt/bin/pip install",
                            "'%s' install --no-input --disable-pip-version-check --progress-bar=off".formatted(environment.command("pip")),
                            "launcher/src/test/resources/dbt/requirements.txt",
                            "'%s'".formatted(requirements))
                    .run()
                    .checkSucceeded();
            writeString(installed, content);
        }
        return environment;
    }

    /**
     * Returns the path of a command that one of the packages has.
     */
    Path command(String name)
    {
        return folder.resolve("bin").resolve(name);
    }
}
