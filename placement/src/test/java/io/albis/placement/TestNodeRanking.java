package io.albis.placement;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

import static org.assertj.core.api.Assertions.assertThat;

final class TestNodeRanking
{
    private static final int NODES = 10;
    private static final int ROW_GROUPS = 20_000;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final List<String> nodes = nodes();

    @Test
    void testEachNodeComesFirstAsOften()
    {
        Map<List<String>, Integer> firstTwo = new HashMap<>();
        for (int i = 0; i < ROW_GROUPS; i++) {
            firstTwo.merge(ranked(NodeRanking.of(uuid()), nodes).subList(0, 2), 1, Integer::sum);
        }
        // All pairs in both orders. Each pair is expected 222 times, with a standard deviation of 15.
        assertThat(firstTwo).as("seed %s", seed).hasSize(NODES * (NODES - 1));
        assertThat(firstTwo.values()).as("seed %s", seed).allSatisfy(count -> assertThat(count).isBetween(222 - 8 * 15, 222 + 8 * 15));
    }

    @Test
    void testIdsThatDifferInOneBit()
    {
        Map<String, Integer> first = new HashMap<>();
        UUID id = uuid();
        for (int i = 0; i < 64; i++) {
            first.merge(ranked(NodeRanking.of(new UUID(id.getMostSignificantBits() ^ (1L << i), id.getLeastSignificantBits())), nodes).get(0), 1, Integer::sum);
            first.merge(ranked(NodeRanking.of(new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() ^ (1L << i))), nodes).get(0), 1, Integer::sum);
        }
        assertThat(first.values()).as("seed %s", seed).allSatisfy(count -> assertThat(count).isLessThan(64));
    }

    @Test
    void testOthersKeepTheirOrder()
    {
        for (int i = 0; i < 1000; i++) {
            NodeRanking ranking = NodeRanking.of(uuid());
            List<String> all = ranked(ranking, nodes);
            String gone = nodes.get(random.nextInt(NODES));
            List<String> fewer = new ArrayList<>(nodes);
            fewer.remove(gone);
            all.remove(gone);
            assertThat(ranked(ranking, fewer)).as("seed %s", seed).isEqualTo(all);
        }
    }

    @Test
    void testOrderOfNodesDoesNotMatter()
    {
        for (int i = 0; i < 1000; i++) {
            List<String> replicas = new ArrayList<>(nodes.subList(0, 2 + random.nextInt(NODES - 2)));
            List<String> ranked = ranked(NodeRanking.of(replicas), nodes);
            Collections.shuffle(replicas, random);
            assertThat(ranked(NodeRanking.of(replicas), nodes)).as("seed %s", seed).isEqualTo(ranked);
        }
    }

    private List<String> ranked(NodeRanking ranking, List<String> nodes)
    {
        List<String> result = new ArrayList<>(nodes);
        Collections.shuffle(result, random);
        result.sort(ranking::compare);
        return result;
    }

    private List<String> nodes()
    {
        List<String> result = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            result.add(uuid().toString());
        }
        return result;
    }

    private UUID uuid()
    {
        return new UUID(random.nextLong(), random.nextLong());
    }
}
