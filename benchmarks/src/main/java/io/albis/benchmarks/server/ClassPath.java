package io.albis.benchmarks.server;

import com.google.common.base.Splitter;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.stream.Collectors;

/**
 * The class path of this process, which other processes use too.
 */
final class ClassPath
{
    private ClassPath() {}

    /**
     * Returns the class path for a process that runs in another folder.
     */
    static String absolute()
    {
        return Splitter.on(File.pathSeparatorChar).omitEmptyStrings()
                .splitToStream(ManagementFactory.getRuntimeMXBean().getClassPath())
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
