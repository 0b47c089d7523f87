package io.albis.placement;

import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;

import java.util.Set;

/**
 * Finds the first suitable DataNode in an order, whereas Hadoop chooses a DataNode at random.
 */
final class NodeSearch
{
    private static final String EXCEPT = "~";

    private NodeSearch() {}

    /**
     * Finds the first suitable node.
     *
     * @param scope a rack, the root, or {@code ~} followed by a rack to search all other racks
     * @param types storage types, of which the node must have at least one
     * @return the node, or null if no node is suitable
     */
    static DatanodeDescriptor findFirst(NetworkTopology topology, NodeRanking ranking, String scope, Set<Node> excluded, Set<StorageType> types)
    {
        boolean except = scope.startsWith(EXCEPT);
        String exceptScope = except ? scope.substring(EXCEPT.length()) : "";
        DatanodeDescriptor first = null;
        for (Node node : topology.getLeaves(except ? NodeBase.ROOT : scope)) {
            if (!(node instanceof DatanodeDescriptor)) {
                // For a scope without nodes, Hadoop returns the scope itself
                continue;
            }
            DatanodeDescriptor datanode = (DatanodeDescriptor) node;
            if ((first == null || ranking.compare(datanode.getDatanodeUuid(), first.getDatanodeUuid()) < 0)
                    && !excluded.contains(datanode)
                    && !(except && isBelow(datanode, exceptScope))
                    && datanode.getStorageTypes().stream().anyMatch(types::contains)) {
                first = datanode;
            }
        }
        return first;
    }

    private static boolean isBelow(Node node, String scope)
    {
        return (node.getNetworkLocation() + NodeBase.PATH_SEPARATOR_STR).startsWith(scope + NodeBase.PATH_SEPARATOR_STR);
    }
}
