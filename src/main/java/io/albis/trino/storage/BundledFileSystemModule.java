package io.albis.trino.storage;

import com.google.common.collect.ImmutableList;
import com.google.inject.Binder;
import io.airlift.configuration.AbstractConfigurationAwareModule;
import io.airlift.configuration.ConfigPropertyMetadata;
import io.trino.filesystem.manager.FileSystemConfig;
import io.trino.filesystem.manager.FileSystemModule;
import io.trino.spi.connector.ConnectorContext;

import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;

import static java.nio.file.Files.isDirectory;
import static java.util.Objects.requireNonNull;

/**
 * Installs the Trino file systems that the zip of the plugin includes. Trino loads the classes of a file system only
 * when it is enabled, so a zip can omit them. Enabling an omitted file system would fail with a missing class, which
 * does not tell an administrator what to change. This module reports it as a configuration error instead.
 */
public final class BundledFileSystemModule
        extends AbstractConfigurationAwareModule
{
    private final String catalogName;
    private final ConnectorContext context;

    public BundledFileSystemModule(String catalogName, ConnectorContext context)
    {
        this.catalogName = requireNonNull(catalogName, "catalogName is null");
        this.context = requireNonNull(context, "context is null");
    }

    @Override
    protected void setup(Binder binder)
    {
        List<String> errors = findErrors(buildConfigObject(FileSystemConfig.class));
        if (errors.isEmpty()) {
            install(new FileSystemModule(catalogName, context, false));
            return;
        }
        errors.forEach(binder::addError);
        // otherwise each property of an omitted file system would be reported as unknown
        for (String name : getProperties().keySet()) {
            consumeProperty(new ConfigPropertyMetadata(name, true));
        }
    }

    private static List<String> findErrors(FileSystemConfig config)
    {
        ImmutableList.Builder<String> errors = ImmutableList.builder();
        if (config.isHadoopEnabled() && !isHadoopBundled()) {
            errors.add("fs.hadoop.enabled=true needs HDFS, which the plugin's zip albis-no-hdfs does not include. Install the zip albis-trino instead");
        }
        if (config.isAzureEnabled() && !isBundled("io/trino/filesystem/azure/AzureFileSystemModule")) {
            errors.add(notBundled("fs.azure.enabled=true needs Azure Storage"));
        }
        if (config.isGcsEnabled() && !isBundled("io/trino/filesystem/gcs/GcsFileSystemModule")) {
            errors.add(notBundled("fs.gcs.enabled=true needs Google Cloud Storage"));
        }
        if (config.isCacheEnabled()) {
            errors.add("fs.cache.enabled=true is not supported by Albis: no zip of the plugin includes Trino's file system cache. Remove the property");
        }
        return errors.build();
    }

    private static String notBundled(String request)
    {
        return request + ", which the plugin's zip albis-trino does not include. It includes the local file system, HDFS, and S3. " +
                "Install the zip albis-full instead, which the build makes with -Pfull";
    }

    /**
     * Returns whether Trino finds its classes for HDFS, which are in a subfolder of the plugin. Only in tests, they are
     * on the class path.
     */
    private static boolean isHadoopBundled()
    {
        if (isBundled("io/trino/filesystem/hdfs/HdfsFileSystemManager")) {
            return true;
        }
        CodeSource jar = FileSystemModule.class.getProtectionDomain().getCodeSource();
        return jar == null || isDirectory(Path.of(URI.create(jar.getLocation().toString())).resolveSibling("hdfs"));
    }

    private static boolean isBundled(String className)
    {
        return FileSystemModule.class.getClassLoader().getResource(className + ".class") != null;
    }
}
