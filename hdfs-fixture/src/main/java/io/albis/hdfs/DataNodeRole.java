package io.albis.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

import java.io.IOException;
import java.util.Map;

import static java.util.Objects.requireNonNull;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_ADDRESS_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_HTTP_ADDRESS_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_IPC_ADDRESS_KEY;

final class DataNodeRole
        implements HdfsDaemon.Role
{
    private final DataNode dataNode;

    private DataNodeRole(DataNode dataNode)
    {
        this.dataNode = requireNonNull(dataNode, "dataNode is null");
    }

    static DataNodeRole start(Configuration configuration)
            throws IOException, InterruptedException
    {
        DataNode dataNode = DataNode.createDataNode(new String[0], configuration);
        if (dataNode == null) {
            throw new IOException("The DataNode did not start");
        }
        while (!dataNode.isDatanodeFullyStarted()) {
            if (!dataNode.isDatanodeUp()) {
                throw new IOException("The DataNode gave up");
            }
            Thread.sleep(20);
        }
        return new DataNodeRole(dataNode);
    }

    @Override
    public Map<String, String> addresses()
    {
        return Map.of(
                DFS_DATANODE_ADDRESS_KEY, "127.0.0.1:" + dataNode.getXferPort(),
                DFS_DATANODE_IPC_ADDRESS_KEY, "127.0.0.1:" + dataNode.getIpcPort(),
                DFS_DATANODE_HTTP_ADDRESS_KEY, "127.0.0.1:" + dataNode.getInfoPort());
    }

    @Override
    public Map<String, String> state()
    {
        return Map.of(
                "connected", String.valueOf(dataNode.isDatanodeFullyStarted()),
                // The number of open connections, including idle ones
                "transfers", String.valueOf(dataNode.getXceiverCount()));
    }
}
