package io.albis.placement;

import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import static org.apache.hadoop.util.Time.monotonicNow;

/**
 * Places the files of each row group of an Albis table on the same DataNodes, so that one node stores all columns of
 * the row group. Other files are placed by the default policy. This class is the value of
 * {@code dfs.block.replicator.classname} on a NameNode and on the balancer.
 * <p>
 * The default policy chooses nodes at random. This policy chooses the first suitable node in an order that depends on
 * the row group. Racks, storage types, and nodes that are excluded, full, stale, slow, or not in service are handled as
 * in the default policy.
 */
public class AlbisBlockPlacementPolicy
        extends BlockPlacementPolicyDefault
        implements Configurable
{
    static final String BALANCER_MOVES = "albis.placement.balancer-moves";

    // The superclass chooses nodes on the thread that asked for targets, but does not pass the file to the methods that
    // do so
    private final ThreadLocal<NodeRanking> currentRanking = new ThreadLocal<>();
    private Configuration configuration;
    private boolean balancerMoves;

    @Override
    public void setConf(Configuration configuration)
    {
        this.configuration = configuration;
        balancerMoves = configuration.getBoolean(BALANCER_MOVES, false);
    }

    @Override
    public Configuration getConf()
    {
        return configuration;
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String path,
            int replicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosen,
            Set<Node> excluded,
            long blockSize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags)
    {
        return chooseTarget(path, replicas, writer, chosen, returnChosen, excluded, blockSize, storagePolicy, flags, null);
    }

    @Override
    public DatanodeStorageInfo[] chooseTarget(
            String path,
            int replicas,
            Node writer,
            List<DatanodeStorageInfo> chosen,
            boolean returnChosen,
            Set<Node> excluded,
            long blockSize,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags,
            EnumMap<StorageType, Integer> storageTypes)
    {
        Optional<UUID> rowGroup = RowGroupPath.rowGroup(path);
        if (rowGroup.isEmpty()) {
            return super.chooseTarget(path, replicas, writer, chosen, returnChosen, excluded, blockSize, storagePolicy, flags, storageTypes);
        }
        NodeRanking ranking = NodeRanking.of(rowGroup.get());
        // Existing replicas are listed in no particular order, and the first one determines the racks of the next ones
        List<DatanodeStorageInfo> rankedChosen = new ArrayList<>(chosen);
        rankedChosen.sort((left, right) -> ranking.compare(uuid(left), uuid(right)));
        currentRanking.set(ranking);
        try {
            // Passes no writer, because the default policy places the first replica on the writer's own node
            return super.chooseTarget(path, replicas, null, rankedChosen, returnChosen, excluded, blockSize, storagePolicy, flags, storageTypes);
        }
        finally {
            currentRanking.remove();
        }
    }

    @Override
    protected DatanodeStorageInfo chooseRandom(
            int replicas,
            String scope,
            Set<Node> excluded,
            long blockSize,
            int maxNodesPerRack,
            List<DatanodeStorageInfo> results,
            boolean avoidStaleNodes,
            EnumMap<StorageType, Integer> storageTypes)
            throws NotEnoughReplicasException
    {
        NodeRanking ranking = currentRanking.get();
        DatanodeStorageInfo first = null;
        while (ranking != null && replicas > 0) {
            DatanodeDescriptor node = NodeSearch.findFirst(clusterMap, ranking, scope, excluded, storageTypes.keySet());
            if (node == null) {
                break;
            }
            // Handles the node as a favored node: it must be suitable and have space, but its load is ignored. The
            // files of a row group with many column groups are open at the same time, which raises the load of their
            // nodes. With a load limit, the files that are opened last would be placed on other nodes.
            DatanodeStorageInfo storage = chooseLocalOrFavoredStorage(node, true, excluded, blockSize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
            if (storage != null) {
                replicas--;
                first = first == null ? storage : first;
            }
        }
        if (ranking != null && replicas == 0) {
            return first;
        }
        // Either the file does not belong to a row group, or no suitable node is left and the superclass reports that
        return super.chooseRandom(replicas, scope, excluded, blockSize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
    }

    /**
     * Chooses the replica to delete by the IDs of the nodes. The NameNode does not pass the file that the replicas
     * belong to, so the choice must be the same for all blocks on the same nodes. The superclass chooses by free space,
     * which changes from one file of a row group to the next. As in the superclass, a node that has not sent a
     * heartbeat for a while is chosen first.
     */
    @Override
    public DatanodeStorageInfo chooseReplicaToDelete(
            Collection<DatanodeStorageInfo> moreThanOne,
            Collection<DatanodeStorageInfo> exactlyOne,
            List<StorageType> excessTypes,
            Map<String, List<DatanodeStorageInfo>> rackMap)
    {
        List<String> nodes = new ArrayList<>();
        moreThanOne.forEach(storage -> nodes.add(uuid(storage)));
        exactlyOne.forEach(storage -> nodes.add(uuid(storage)));
        NodeRanking ranking = NodeRanking.of(nodes);

        long oldestHeartbeat = monotonicNow() - heartbeatInterval * tolerateHeartbeatMultiplier;
        DatanodeStorageInfo silent = null;
        DatanodeStorageInfo first = null;
        for (DatanodeStorageInfo storage : pickupReplicaSet(moreThanOne, exactlyOne, rackMap)) {
            if (!excessTypes.contains(storage.getStorageType())) {
                continue;
            }
            long heartbeat = storage.getDatanodeDescriptor().getLastUpdateMonotonic();
            if (heartbeat < oldestHeartbeat) {
                oldestHeartbeat = heartbeat;
                silent = storage;
            }
            if (first == null || ranking.compare(uuid(storage), uuid(first)) < 0) {
                first = storage;
            }
        }
        DatanodeStorageInfo result = silent != null ? silent : first;
        if (result != null) {
            excessTypes.remove(result.getStorageType());
        }
        return result;
    }

    private static String uuid(DatanodeStorageInfo storage)
    {
        return storage.getDatanodeDescriptor().getDatanodeUuid();
    }

    /**
     * Prevents the balancer from moving blocks between nodes, unless {@code albis.placement.balancer-moves} is set. The
     * balancer moves single blocks and does not pass the file that a block belongs to, so it would separate the files
     * of a row group.
     */
    @Override
    public boolean isMovable(Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target)
    {
        // Moves between disks of the same node are allowed
        if (source.equals(target)) {
            return true;
        }
        return balancerMoves && super.isMovable(locations, source, target);
    }
}
