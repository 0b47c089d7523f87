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
 * Puts the files of a row group of an Albis table on the same DataNodes, so that one node has all columns of its rows, and
 * other files where they have always been put. For {@code dfs.block.replicator.classname} of a NameNode and of the balancer.
 * <p>
 * Where the default policy draws a node at random, this takes the first one in an order that belongs to the row group. So racks,
 * storage types, and nodes that are excluded, full, stale, slow or not in service are dealt with as ever.
 */
public class AlbisBlockPlacementPolicy
        extends BlockPlacementPolicyDefault
        implements Configurable
{
    static final String BALANCER_MOVES = "albis.placement.balancer-moves";

    // The superclass looks for a node without saying for which file, in the thread that asked for targets
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
        // Replicas that are there come in any sequence, and the first one says which racks are next
        List<DatanodeStorageInfo> rankedChosen = new ArrayList<>(chosen);
        rankedChosen.sort((left, right) -> ranking.compare(uuid(left), uuid(right)));
        currentRanking.set(ranking);
        try {
            // No writer: its own node would come first
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
            // As a favored node: it has to be good and have space, but how busy it is does not matter. The files of a row group with
            // many column groups are open at once and make their own nodes busy, and those that come last would be put elsewhere
            DatanodeStorageInfo storage = chooseLocalOrFavoredStorage(node, true, excluded, blockSize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
            if (storage != null) {
                replicas--;
                first = first == null ? storage : first;
            }
        }
        if (ranking != null && replicas == 0) {
            return first;
        }
        // For another file; or no node is left, and this says so
        return super.chooseRandom(replicas, scope, excluded, blockSize, maxNodesPerRack, results, avoidStaleNodes, storageTypes);
    }

    /**
     * The NameNode does not say whose replicas these are. So the choice is the same for all blocks on the same nodes: it is made by
     * their ids, and not by free space as in the superclass, which changes from one file of a row group to the next. A node that
     * has not been heard of for a while comes first, as there.
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
     * The balancer does not say whose block it wants to move, and it moves one at a time: nothing would stay together.
     */
    @Override
    public boolean isMovable(Collection<DatanodeInfo> locations, DatanodeInfo source, DatanodeInfo target)
    {
        // from one disk of a node to another
        if (source.equals(target)) {
            return true;
        }
        return balancerMoves && super.isMovable(locations, source, target);
    }
}
