package io.albis.trino.history;

import com.google.common.collect.ImmutableMap;
import com.google.inject.Module;
import io.albis.filesystem.GatedFileSystem;
import io.albis.filesystem.GatedFiles;
import io.albis.filesystem.GatedRemoteFileSystem;
import io.albis.filesystem.GatedRemoteFileSystem.Kind;
import io.albis.filesystem.StorageGate;
import io.albis.hdfs.HdfsCluster;
import io.albis.s3.S3FileSystems;
import io.albis.s3.S3TestServer;
import io.albis.table.storage.LocalFolders;
import io.albis.trino.AlbisQueryRunner;
import io.albis.trino.storage.LocalRoot;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoFileSystemFactory;
import io.trino.filesystem.local.LocalFileSystem;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import static com.google.inject.multibindings.OptionalBinder.newOptionalBinder;

/**
 * The storage of a warehouse, parts of which can be killed.
 */
interface HistoryStorage
        extends AutoCloseable
{
    /**
     * Returns the properties of a catalog.
     */
    Map<String, String> catalog();

    /**
     * Returns the file system of the warehouse, which the check of the remaining files reads.
     */
    TrinoFileSystem fileSystem();

    /**
     * Binds a file system for a catalog in this process, whose accesses to the storage pass a gate.
     */
    Module gated(StorageGate gate);

    boolean canBeKilled();

    /**
     * Kills a process of the storage, and starts it again with the same data.
     *
     * @return what was killed
     */
    String killAndRestart(Random random)
            throws Exception;

    @Override
    void close()
            throws Exception;

    static HistoryStorage local(Path folder)
    {
        return new HistoryStorage()
        {
            @Override
            public Map<String, String> catalog()
            {
                return AlbisQueryRunner.catalogProperties(folder);
            }

            @Override
            public TrinoFileSystem fileSystem()
            {
                return new LocalFileSystem(folder);
            }

            @Override
            public Module gated(StorageGate gate)
            {
                Path gated = GatedFiles.gated(folder, gate);
                TrinoFileSystem fileSystem = new GatedFileSystem(new LocalFileSystem(gated), gate);
                return binder -> {
                    binder.bind(TrinoFileSystemFactory.class).toInstance(_ -> fileSystem);
                    // Files that are created exactly once are created without the file system
                    newOptionalBinder(binder, LocalRoot.class).setBinding().toInstance(new LocalRoot(Optional.of(new LocalFolders(gated))));
                };
            }

            @Override
            public boolean canBeKilled()
            {
                return false;
            }

            @Override
            public String killAndRestart(Random random)
            {
                throw new UnsupportedOperationException("A local file system has no process");
            }

            @Override
            public void close() {}
        };
    }

    private static Module remote(TrinoFileSystem fileSystem)
    {
        return binder -> binder.bind(TrinoFileSystemFactory.class).toInstance(_ -> fileSystem);
    }

    static HistoryStorage s3()
            throws Exception
    {
        S3TestServer server = S3TestServer.start();
        S3FileSystems fileSystems = server.fileSystems(3);
        return new HistoryStorage()
        {
            @Override
            public Map<String, String> catalog()
            {
                return server.catalogProperties("warehouse");
            }

            @Override
            public TrinoFileSystem fileSystem()
            {
                return fileSystems.create();
            }

            @Override
            public Module gated(StorageGate gate)
            {
                return remote(new GatedRemoteFileSystem(fileSystem(), gate, Kind.OBJECT_STORE));
            }

            @Override
            public boolean canBeKilled()
            {
                return true;
            }

            @Override
            public String killAndRestart(Random random)
                    throws Exception
            {
                server.restart();
                return "S3";
            }

            @Override
            public void close()
                    throws Exception
            {
                fileSystems.close();
                server.close();
            }
        };
    }

    static HistoryStorage hdfs()
    {
        HdfsCluster cluster = HdfsCluster.builder().setDataNodes(2).setReplication(2).start();
        return new HistoryStorage()
        {
            @Override
            public Map<String, String> catalog()
            {
                return ImmutableMap.copyOf(cluster.catalogProperties());
            }

            @Override
            public TrinoFileSystem fileSystem()
            {
                return cluster.fileSystem();
            }

            @Override
            public Module gated(StorageGate gate)
            {
                return remote(new GatedRemoteFileSystem(fileSystem(), gate, Kind.HDFS));
            }

            @Override
            public boolean canBeKilled()
            {
                return true;
            }

            @Override
            public String killAndRestart(Random random)
            {
                int dataNode = random.nextInt(3);
                if (dataNode == 2) {
                    cluster.nameNode().restart();
                }
                else {
                    cluster.dataNode(dataNode).restart();
                }
                cluster.awaitReady();
                return dataNode == 2 ? "NameNode" : "DataNode " + dataNode;
            }

            @Override
            public void close()
            {
                cluster.close();
            }
        };
    }
}
