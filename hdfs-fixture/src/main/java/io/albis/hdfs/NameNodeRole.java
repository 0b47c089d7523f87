package io.albis.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY;

final class NameNodeRole
        implements HdfsDaemon.Role
{
    private final NameNode nameNode;

    private NameNodeRole(NameNode nameNode)
    {
        this.nameNode = requireNonNull(nameNode, "nameNode is null");
    }

    static NameNodeRole start(Configuration configuration)
            throws IOException
    {
        Path folder = Path.of(configuration.get(DFS_NAMENODE_NAME_DIR_KEY));
        if (!Files.exists(folder.resolve("current"))) {
            Files.createDirectories(folder);
            NameNode.format(configuration);
        }
        return new NameNodeRole(new NameNode(configuration));
    }

    @Override
    public Map<String, String> addresses()
    {
        return Map.of(
                FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:" + nameNode.getNameNodeAddress().getPort(),
                DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:" + nameNode.getHttpAddress().getPort());
    }

    @Override
    public Map<String, String> state()
    {
        FSNamesystem namesystem = nameNode.getNamesystem();
        return Map.of(
                "live", String.valueOf(namesystem.getNumLiveDataNodes()),
                "safemode", String.valueOf(namesystem.isInSafeMode()),
                "missing", String.valueOf(namesystem.getMissingBlocksCount()));
    }
}
