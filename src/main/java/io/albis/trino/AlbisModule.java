package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.inject.Binder;
import com.google.inject.Provides;
import com.google.inject.Scopes;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.airlift.configuration.AbstractConfigurationAwareModule;
import io.albis.format.scan.MetadataSource;
import io.albis.format.type.TypeResolver;
import io.albis.table.storage.LocalFolders;
import io.albis.trino.changes.ChangedVersions;
import io.albis.trino.changes.TableChangesFunction;
import io.albis.trino.changes.TableChangesProcessorProvider;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisListingConfig;
import io.albis.trino.config.AlbisMaintenanceConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSchemaProperties;
import io.albis.trino.config.AlbisSessionProperties;
import io.albis.trino.config.AlbisTableProperties;
import io.albis.trino.config.MaintenanceSessionProperties;
import io.albis.trino.maintenance.FindLostTablesFunction;
import io.albis.trino.maintenance.FlushMetadataCache;
import io.albis.trino.maintenance.MaintenanceFunctionProvider;
import io.albis.trino.maintenance.MaintenanceFunctions;
import io.albis.trino.maintenance.RegisterTable;
import io.albis.trino.maintenance.UnregisterTable;
import io.albis.trino.maintenance.VacuumCandidatesFunction;
import io.albis.trino.maintenance.VacuumProcedure;
import io.albis.trino.manifest.ManifestCache;
import io.albis.trino.manifest.ManifestExecutor;
import io.albis.trino.metadata.AlbisMetadataFactory;
import io.albis.trino.metadata.AlbisTransactionManager;
import io.albis.trino.metadata.ListingExecutor;
import io.albis.trino.optimize.OptimizePageSourceProviderFactory;
import io.albis.trino.partition.AlbisNodePartitioningProvider;
import io.albis.trino.read.AlbisPageSourceProviderFactory;
import io.albis.trino.read.MetadataCache;
import io.albis.trino.read.ReadAheadExecutor;
import io.albis.trino.read.ReaderResourcesFactory;
import io.albis.trino.read.ScanStats;
import io.albis.trino.sink.AlbisPageSinkProvider;
import io.albis.trino.sink.TableVersions;
import io.albis.trino.sink.WriteStats;
import io.albis.trino.split.AlbisSplitManager;
import io.albis.trino.split.SplitSourceExecutor;
import io.albis.trino.storage.AlbisFileSystemFactory;
import io.albis.trino.storage.ForAlbis;
import io.albis.trino.storage.LocalRoot;
import io.albis.trino.write.CommitStats;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystemConfig;
import io.trino.filesystem.manager.FileSystemConfig;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSinkProvider;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorPageSourceProviderFactory;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorSplitManager;
import io.trino.plugin.base.classloader.ClassLoaderSafeConnectorTableFunction;
import io.trino.plugin.base.classloader.ClassLoaderSafeNodePartitioningProvider;
import io.trino.plugin.base.classloader.ForClassLoaderSafe;
import io.trino.spi.connector.ConnectorNodePartitioningProvider;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProviderFactory;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.type.TypeId;
import io.trino.spi.type.TypeManager;
import org.weakref.jmx.ObjectNameGenerator;

import java.util.Optional;

import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;
import static io.airlift.configuration.ConfigBinder.configBinder;
import static org.weakref.jmx.guice.ExportBinder.newExporter;

/**
 * Binds the classes of the connector, and checks that a file system for the warehouse is enabled.
 */
class AlbisModule
        extends AbstractConfigurationAwareModule
{
    @Override
    protected void setup(Binder binder)
    {
        FileSystemConfig fileSystems = buildConfigObject(FileSystemConfig.class);
        checkFileSystem(binder, buildConfigObject(AlbisConfig.class), fileSystems);
        // Tests bind another one, to observe the accesses that are not those of a TrinoFileSystem
        newOptionalBinder(binder, LocalRoot.class).setDefault().toInstance(new LocalRoot(fileSystems.isLocalEnabled()
                ? Optional.of(new LocalFolders(buildConfigObject(LocalFileSystemConfig.class).getLocation()))
                : Optional.empty()));

        binder.bind(TrinoFileSystemFactory.class).annotatedWith(ForAlbis.class).to(AlbisFileSystemFactory.class).in(Scopes.SINGLETON);
        binder.bind(StorageCheck.class).in(Scopes.SINGLETON);
        binder.bind(AlbisConnector.class).in(Scopes.SINGLETON);
        binder.bind(AlbisMetadataFactory.class).in(Scopes.SINGLETON);
        binder.bind(AlbisTransactionManager.class).in(Scopes.SINGLETON);
        binder.bind(AlbisSessionProperties.class).in(Scopes.SINGLETON);
        binder.bind(AlbisSchemaProperties.class).in(Scopes.SINGLETON);
        binder.bind(AlbisTableProperties.class).in(Scopes.SINGLETON);
        binder.bind(SplitSourceExecutor.class).in(Scopes.SINGLETON);
        configBinder(binder).bindConfig(AlbisListingConfig.class);
        configBinder(binder).bindConfig(AlbisMaintenanceConfig.class);
        binder.bind(MaintenanceSessionProperties.class).in(Scopes.SINGLETON);
        binder.bind(ListingExecutor.class).in(Scopes.SINGLETON);
        binder.bind(RegisterTable.class).in(Scopes.SINGLETON);
        binder.bind(UnregisterTable.class).in(Scopes.SINGLETON);
        binder.bind(VacuumProcedure.class).in(Scopes.SINGLETON);
        binder.bind(FlushMetadataCache.class).in(Scopes.SINGLETON);
        binder.bind(MaintenanceFunctions.class).in(Scopes.SINGLETON);
        binder.bind(MaintenanceFunctionProvider.class).in(Scopes.SINGLETON);
        binder.bind(ChangedVersions.class).in(Scopes.SINGLETON);
        binder.bind(TableChangesFunction.class).in(Scopes.SINGLETON);
        binder.bind(TableChangesProcessorProvider.class).in(Scopes.SINGLETON);
        binder.bind(FunctionProvider.class).to(AlbisFunctionProvider.class).in(Scopes.SINGLETON);
        Multibinder<ConnectorTableFunction> functions = newSetBinder(binder, ConnectorTableFunction.class);
        functions.addBinding().to(FindLostTablesFunction.class).in(Scopes.SINGLETON);
        functions.addBinding().to(VacuumCandidatesFunction.class).in(Scopes.SINGLETON);

        configBinder(binder).bindConfig(AlbisReadConfig.class);
        binder.bind(MetadataCache.class).in(Scopes.SINGLETON);
        binder.bind(MetadataSource.class).to(MetadataCache.class).in(Scopes.SINGLETON);
        binder.bind(ManifestExecutor.class).in(Scopes.SINGLETON);
        binder.bind(ManifestCache.class).in(Scopes.SINGLETON);
        binder.bind(ReadAheadExecutor.class).in(Scopes.SINGLETON);
        binder.bind(ReaderResourcesFactory.class).in(Scopes.SINGLETON);
        binder.bind(CommitStats.class).in(Scopes.SINGLETON);
        binder.bind(ScanStats.class).in(Scopes.SINGLETON);
        binder.bind(WriteStats.class).in(Scopes.SINGLETON);
        for (Class<?> bean : ImmutableList.of(MetadataCache.class, ManifestCache.class, CommitStats.class, ScanStats.class, WriteStats.class)) {
            newExporter(binder).export(bean).as(generator -> beanName(generator, bean));
        }

        binder.bind(ConnectorSplitManager.class).annotatedWith(ForClassLoaderSafe.class).to(AlbisSplitManager.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorSplitManager.class).to(ClassLoaderSafeConnectorSplitManager.class).in(Scopes.SINGLETON);
        binder.bind(AlbisPageSourceProviderFactory.class).in(Scopes.SINGLETON);
        binder.bind(AlbisPageSinkProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSourceProviderFactory.class).annotatedWith(ForClassLoaderSafe.class).to(OptimizePageSourceProviderFactory.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSourceProviderFactory.class).to(ClassLoaderSafeConnectorPageSourceProviderFactory.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorPageSinkProvider.class).annotatedWith(ForClassLoaderSafe.class).to(AlbisPageSinkProvider.class);
        binder.bind(ConnectorPageSinkProvider.class).to(ClassLoaderSafeConnectorPageSinkProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorNodePartitioningProvider.class).annotatedWith(ForClassLoaderSafe.class).to(AlbisNodePartitioningProvider.class).in(Scopes.SINGLETON);
        binder.bind(ConnectorNodePartitioningProvider.class).to(ClassLoaderSafeNodePartitioningProvider.class).in(Scopes.SINGLETON);
    }

    @ProvidesIntoSet
    static Procedure registerTable(RegisterTable procedure)
    {
        return procedure.procedure();
    }

    @ProvidesIntoSet
    static Procedure unregisterTable(UnregisterTable procedure)
    {
        return procedure.procedure();
    }

    @ProvidesIntoSet
    static Procedure flushMetadataCache(FlushMetadataCache procedure)
    {
        return procedure.procedure();
    }

    @ProvidesIntoSet
    static Procedure vacuum(VacuumProcedure procedure)
    {
        return procedure.procedure();
    }

    /**
     * Unlike the other functions, this one accesses the storage when it is analyzed.
     */
    @ProvidesIntoSet
    static ConnectorTableFunction tableChanges(TableChangesFunction function)
    {
        return new ClassLoaderSafeConnectorTableFunction(function, AlbisModule.class.getClassLoader());
    }

    @Provides
    @Singleton
    static TableVersions createTableVersions(AlbisMetadataFactory transactions)
    {
        return transactions::loadVersion;
    }

    @Provides
    @Singleton
    static TypeResolver createTypeResolver(TypeManager typeManager)
    {
        return typeId -> typeManager.getType(TypeId.of(typeId));
    }

    /**
     * Names a bean without the sub-package of its class, so that moving a class does not rename its bean.
     */
    private static String beanName(ObjectNameGenerator generator, Class<?> bean)
    {
        String subpackage = bean.getPackageName().substring(AlbisModule.class.getPackageName().length());
        return generator.generatedNameOf(bean).replace(subpackage + ":", ":");
    }

    /**
     * Fails the start of the catalog if no file system is enabled for the warehouse. Without this check, the catalog
     * starts and every query on it fails.
     */
    private static void checkFileSystem(Binder binder, AlbisConfig config, FileSystemConfig fileSystems)
    {
        Optional<Location> warehouse = config.findWarehouseLocation();
        if (warehouse.isEmpty()) {
            // the validation of the property reports what is wrong with it
            return;
        }
        String scheme = warehouse.get().scheme().orElseThrow();
        boolean enabled;
        String property;
        switch (scheme) {
            case "local", "file" -> {
                enabled = fileSystems.isLocalEnabled();
                property = "fs.local.enabled";
            }
            case "s3", "s3a", "s3n" -> {
                enabled = fileSystems.isS3Enabled();
                property = "fs.s3.enabled";
            }
            case "abfs", "abfss", "wasb", "wasbs" -> {
                enabled = fileSystems.isAzureEnabled();
                property = "fs.azure.enabled";
            }
            case "gs" -> {
                enabled = fileSystems.isGcsEnabled();
                property = "fs.gcs.enabled";
            }
            case "hdfs" -> {
                enabled = fileSystems.isHadoopEnabled();
                property = "fs.hadoop.enabled";
            }
            default -> {
                binder.addError("The warehouse is %s (property albis.warehouse), and Albis cannot commit to %s://. Use a local, hdfs, s3, gs, or abfs location", warehouse.get(), scheme);
                return;
            }
        }
        if (!enabled) {
            binder.addError("The warehouse is %s (property albis.warehouse), but no file system for %s:// is enabled. Add %s=true to the catalog properties", warehouse.get(), scheme, property);
        }
    }
}
