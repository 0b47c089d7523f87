package io.albis.placement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asks NameNodes where they have placed files.
 */
final class TestAlbisBlockPlacementPolicy
{
    private static final int ROW_GROUPS = 30;
    private static final int WIDE = 40;

    @TempDir
    java.nio.file.Path folder;

    @Test
    void testOneRack()
            throws Exception
    {
        List<String> racks = List.of("rack", "rack", "rack", "rack", "rack");
        try (PlacementCluster cluster = new PlacementCluster(folder, 2, racks, Set.of())) {
            Map<String, List<Path>> rowGroups = writeRowGroups(cluster, "rg-");
            Set<Set<String>> places = assertTogether(cluster, rowGroups, Set.of());
            // There are ten possible pairs. In one of 20 runs, one pair is expected to be missing; five missing pairs
            // are practically impossible.
            assertThat(places.size()).isGreaterThan(5);
            assertThat(union(places)).hasSize(5);

            // The policy ignores directories with other names, so HDFS places their files at random
            Map<String, List<Path>> others = writeRowGroups(cluster, "xx-");
            assertThat(others.values()).anySatisfy(files -> assertThat(allNodes(cluster, files, Set.of())).hasSizeGreaterThan(1));

            assertWideRowGroupTogether(cluster);

            // Files that are written after a restart are placed on the same nodes
            cluster.restartNameNode();
            for (Map.Entry<String, List<Path>> rowGroup : rowGroups.entrySet()) {
                rowGroup.getValue().addAll(cluster.write(rowGroup.getKey()));
            }
            assertThat(assertTogether(cluster, rowGroups, Set.of())).isEqualTo(places);

            // The NameNode replaces the replicas of a dead node
            String dead = cluster.name(1);
            cluster.kill(1);
            cluster.awaitReplicas(allFiles(rowGroups), 2, Set.of());
            Set<Set<String>> withoutDead = assertTogether(cluster, rowGroups, Set.of());
            assertThat(union(withoutDead)).hasSize(4).doesNotContain(dead);
            for (Map.Entry<String, List<Path>> rowGroup : rowGroups.entrySet()) {
                rowGroup.getValue().addAll(cluster.write(rowGroup.getKey()));
            }
            assertThat(assertTogether(cluster, rowGroups, Set.of())).isEqualTo(withoutDead);

            // The node returns with excess replicas. It has no replicas of the files that were written in the meantime.
            Map<String, List<Path>> older = new HashMap<>();
            rowGroups.forEach((name, files) -> older.put(name, files.subList(0, files.size() - 2)));
            cluster.revive(1);
            cluster.awaitReplicas(allFiles(rowGroups), 2, Set.of());
            assertTogether(cluster, older, Set.of());

            // Increases the number of replicas and reduces it again
            for (Path file : allFiles(older)) {
                cluster.fileSystem().setReplication(file, (short) 4);
            }
            cluster.awaitReplicas(allFiles(older), 4, Set.of());
            assertTogether(cluster, older, Set.of());
            for (Path file : allFiles(older)) {
                cluster.fileSystem().setReplication(file, (short) 2);
            }
            cluster.awaitReplicas(allFiles(older), 2, Set.of());
            // The two of four nodes that keep their replicas depend only on the set of four nodes. There are five such
            // sets, and the same two nodes are in three of them.
            assertThat(assertTogether(cluster, older, Set.of()).size()).isGreaterThan(1);
        }
    }

    /**
     * Checks a row group with many columns. With so many open files, its nodes are busier than the default policy
     * allows.
     */
    private static void assertWideRowGroupTogether(PlacementCluster cluster)
            throws Exception
    {
        String rowGroup = "rg-" + UUID.randomUUID();
        List<FSDataOutputStream> open = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (int i = 0; i < WIDE; i++) {
            Path file = new Path("/warehouse/shop/sales-1/" + rowGroup + "/cg-" + UUID.randomUUID() + "/data");
            FSDataOutputStream output = cluster.fileSystem().create(file);
            output.write(i);
            output.hflush();
            open.add(output);
            files.add(file);
            if (i == WIDE / 2) {
                // Waits until the NameNode has received the load
                PlacementCluster.await("load", () -> cluster.namesystem().getTotalLoad() >= WIDE);
            }
        }
        for (FSDataOutputStream output : open) {
            output.close();
        }
        assertThat(allNodes(cluster, files, Set.of())).hasSize(1);
    }

    @Test
    void testRacks()
            throws Exception
    {
        // The last node is full
        List<String> racks = List.of("one", "one", "two", "two", "three", "three");
        try (PlacementCluster cluster = new PlacementCluster(folder, 3, racks, Set.of(5))) {
            Map<String, String> rackOf = new HashMap<>();
            List<String> names = cluster.names();
            for (int i = 0; i < names.size(); i++) {
                rackOf.put(names.get(i), racks.get(i));
            }

            Map<String, List<Path>> rowGroups = writeRowGroups(cluster, "rg-");
            Set<Set<String>> places = assertTogether(cluster, rowGroups, Set.of());
            // There are ten possible sets of nodes, which are not equally likely. In one of 2,000 runs, only five of
            // them are expected; three are practically impossible.
            assertThat(places.size()).isGreaterThan(3);
            assertThat(union(places)).isEqualTo(new HashSet<>(names.subList(0, 5)));
            assertOnSeveralRacks(places, rackOf);

            // The result must not depend on the order in which the NameNode lists the two other replicas
            cluster.decommission(0);
            Set<String> decommissioned = Set.of(names.get(0));
            cluster.awaitReplicas(allFiles(rowGroups), 3, decommissioned);
            places = assertTogether(cluster, rowGroups, decommissioned);
            assertThat(union(places)).isEqualTo(new HashSet<>(names.subList(1, 5)));
            assertOnSeveralRacks(places, rackOf);

            Map<String, List<Path>> later = writeRowGroups(cluster, "rg-");
            assertThat(union(assertTogether(cluster, later, Set.of()))).isEqualTo(new HashSet<>(names.subList(1, 5)));
        }
    }

    @Test
    void testBalancer()
            throws Exception
    {
        try (PlacementCluster cluster = new PlacementCluster(folder, 2, List.of("rack", "rack", "rack"), Set.of())) {
            DatanodeInfo[] nodes = cluster.fileSystem().getDataNodeStats();
            List<DatanodeInfo> replicas = Arrays.asList(nodes);
            BlockPlacementPolicy policy = cluster.namesystem().getBlockManager().getBlockPlacementPolicy();
            assertThat(policy).isInstanceOf(AlbisBlockPlacementPolicy.class);
            assertThat(policy.isMovable(replicas, nodes[0], nodes[2])).isFalse();
            assertThat(policy.isMovable(replicas, nodes[0], nodes[0])).isTrue();

            // Creates the policy in the same way as the balancer
            Configuration configuration = new Configuration();
            configuration.setBoolean(AlbisBlockPlacementPolicy.BALANCER_MOVES, true);
            AlbisBlockPlacementPolicy balancing = ReflectionUtils.newInstance(AlbisBlockPlacementPolicy.class, configuration);
            assertThat(balancing.isMovable(replicas, nodes[0], nodes[2])).isTrue();
        }
    }

    private static Map<String, List<Path>> writeRowGroups(PlacementCluster cluster, String prefix)
            throws IOException
    {
        Map<String, List<Path>> rowGroups = new HashMap<>();
        for (int i = 0; i < ROW_GROUPS; i++) {
            String rowGroup = prefix + UUID.randomUUID();
            List<Path> files = new ArrayList<>(cluster.write(rowGroup));
            files.addAll(cluster.write(rowGroup));
            rowGroups.put(rowGroup, files);
        }
        return rowGroups;
    }

    /**
     * Checks that all files of each row group are on the same nodes.
     *
     * @return the sets of nodes that store the row groups
     */
    private static Set<Set<String>> assertTogether(PlacementCluster cluster, Map<String, List<Path>> rowGroups, Set<String> except)
            throws IOException
    {
        Set<Set<String>> places = new HashSet<>();
        for (Map.Entry<String, List<Path>> rowGroup : rowGroups.entrySet()) {
            Set<Set<String>> ofFiles = allNodes(cluster, rowGroup.getValue(), except);
            assertThat(ofFiles).as(rowGroup.getKey()).hasSize(1);
            places.addAll(ofFiles);
        }
        return places;
    }

    private static Set<Set<String>> allNodes(PlacementCluster cluster, List<Path> files, Set<String> except)
            throws IOException
    {
        Set<Set<String>> nodes = new HashSet<>();
        for (Path file : files) {
            nodes.add(cluster.nodes(file, except));
        }
        return nodes;
    }

    private static List<Path> allFiles(Map<String, List<Path>> rowGroups)
    {
        return rowGroups.values().stream()
                .flatMap(List::stream)
                .toList();
    }

    private static Set<String> union(Set<Set<String>> places)
    {
        Set<String> union = new HashSet<>();
        places.forEach(union::addAll);
        return union;
    }

    private static void assertOnSeveralRacks(Set<Set<String>> places, Map<String, String> rackOf)
    {
        for (Set<String> place : places) {
            assertThat(place.stream().map(rackOf::get).distinct()).as("racks of %s", place).hasSizeGreaterThan(1);
        }
    }
}
