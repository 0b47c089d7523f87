package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.benchmarks.plan.ComparedQuery.Pair;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.albis.benchmarks.plan.Aspect.AGGREGATIONS;
import static io.albis.benchmarks.plan.Aspect.ESTIMATED_ROWS;
import static io.albis.benchmarks.plan.Aspect.EXCHANGES;
import static io.albis.benchmarks.plan.Aspect.JOIN_DISTRIBUTION;
import static io.albis.benchmarks.plan.Aspect.JOIN_ORDER;
import static io.albis.benchmarks.plan.Aspect.OTHER_OPERATORS;
import static org.assertj.core.api.Assertions.assertThat;

class TestPlanDifference
{
    private static final Set<String> TABLES = ImmutableSet.of("store", "store_sales", "item", "date_dim");

    @Test
    void testParse()
    {
        PlanNode plan = PlanNode.parse(
                """
                {"id": "9", "name": "Output", "descriptor": {"columnNames": "[n]"}, "outputs": [], "details": [], "estimates": [{"outputRowCount": 1.0}],
                 "children": [{"id": "1", "name": "ScanFilterProject", "descriptor": {"table": "hive:sf1:item", "filterPredicate": ""}, "details": ["a := b"],
                  "estimates": [{"outputRowCount": 100.0}, {"outputRowCount": "NaN"}], "children": []}]}
                """);
        assertThat(plan.name()).isEqualTo("Output");
        assertThat(plan.rows()).isEqualTo(1);
        PlanNode scan = plan.children().getFirst();
        assertThat(scan.descriptor()).containsEntry("table", "hive:sf1:item");
        assertThat(scan.details()).containsExactly("a := b");
        assertThat(scan.rows()).isNaN();
    }

    @Test
    void testLines()
    {
        PlanNode plan = node("Output", 7, exchange("GATHER", aggregate("FINAL", "[a, b]", join("PARTITIONED", scan("hive:sf1:store_sales", 100), node("Project", 9, scan("hive:sf1:item", 9))))));
        assertThat(NormalizedPlan.of(plan, TABLES).lines()).containsExactly(
                "exchange GATHER after FINAL aggregation with 2 keys of [item, store_sales], 5 rows",
                "  FINAL aggregation with 2 keys of [item, store_sales], 5 rows",
                "    InnerJoin of [store_sales] with [item], PARTITIONED, 5 rows",
                "      scan of store_sales, 100 rows",
                "      scan of item, 9 rows");
    }

    /**
     * What a connector does itself, and its names, do not make a difference.
     */
    @Test
    void testSamePlan()
    {
        PlanNode plan = node("Output", 5, join("PARTITIONED", scan("albis:sf1.store_sales version=1 indexes on [item]", 100), scan("albis:sf1.item version=1", 9)));
        PlanNode other = node("Output", 5, node("Project", 5, join("PARTITIONED", node("Filter", 100, scan("iceberg:sf1.store_sales$data@123", 120)), node("LocalExchange", 9, scan("iceberg:sf1.item$data@7", 9)))));
        PlanDifference difference = difference(plan, other);
        assertThat(difference.lines().asMap()).isEmpty();
        assertThat(difference.isOfOperators()).isFalse();
    }

    @Test
    void testJoins()
    {
        PlanNode plan = join("PARTITIONED", scan("store_sales", 100), scan("item", 9));
        PlanDifference order = difference(plan, join("PARTITIONED", scan("item", 9), scan("store_sales", 100)));
        assertThat(order.lines().asMap()).containsOnlyKeys(JOIN_ORDER);
        assertThat(order.lines().get(JOIN_ORDER)).containsExactly(
                "InnerJoin of [store_sales] with [item]: 1 in albis, 0 in hive",
                "InnerJoin of [item] with [store_sales]: 0 in albis, 1 in hive");
        assertThat(order.isOfOperators()).isTrue();

        PlanDifference distribution = difference(plan, join("REPLICATED", scan("store_sales", 100), scan("item", 9)));
        assertThat(distribution.lines().asMap()).containsOnlyKeys(JOIN_DISTRIBUTION);
        assertThat(distribution.lines().get(JOIN_DISTRIBUTION)).containsExactly("InnerJoin of [store_sales] with [item]: PARTITIONED in albis, REPLICATED in hive");
    }

    /**
     * A different join order does not hide that the rest is the same.
     */
    @Test
    void testJoinOrderAlone()
    {
        PlanNode plan = aggregate("SINGLE", "", join("PARTITIONED", join("PARTITIONED", scan("store_sales", 100), scan("item", 9)), scan("date_dim", 5)));
        PlanNode other = aggregate("SINGLE", "", join("PARTITIONED", join("PARTITIONED", scan("store_sales", 100), scan("date_dim", 5)), scan("item", 9)));
        assertThat(difference(plan, other).lines().asMap()).containsOnlyKeys(JOIN_ORDER);
    }

    @Test
    void testAggregationsAndExchanges()
    {
        PlanNode plan = aggregate("FINAL", "[a]", exchange("REPARTITION", aggregate("PARTIAL", "[a]", scan("store_sales", 100))));
        PlanNode other = aggregate("SINGLE", "[a]", exchange("REPARTITION", scan("store_sales", 100)));
        PlanDifference difference = difference(plan, other);
        assertThat(difference.lines().asMap()).containsOnlyKeys(AGGREGATIONS, EXCHANGES);
        assertThat(difference.lines().get(AGGREGATIONS)).containsExactly(
                "FINAL aggregation with 1 keys of [store_sales]: 1 in albis, 0 in hive",
                "PARTIAL aggregation with 1 keys of [store_sales]: 1 in albis, 0 in hive",
                "SINGLE aggregation with 1 keys of [store_sales]: 0 in albis, 1 in hive");
        assertThat(difference.lines().get(EXCHANGES)).contains("exchange REPARTITION after scan of [store_sales]: 0 in albis, 1 in hive");
    }

    @Test
    void testOtherOperators()
    {
        PlanDifference difference = difference(node("TopN", 5, scan("item", 9)), scan("item", 9));
        assertThat(difference.lines().asMap()).containsOnlyKeys(OTHER_OPERATORS);
        assertThat(difference.lines().get(OTHER_OPERATORS)).containsExactly("TopN of [item]: 1 in albis, 0 in hive");
    }

    @Test
    void testEstimates()
    {
        assertThat(difference(scan("item", 100), scan("item", 200)).lines().asMap()).isEmpty();
        assertThat(difference(scan("item", 0), scan("item", 1)).lines().asMap()).isEmpty();
        assertThat(difference(scan("item", Double.NaN), scan("item", Double.NaN)).lines().asMap()).isEmpty();
        PlanDifference higher = difference(scan("item", 1000), scan("item", 2001));
        assertThat(higher.lines().get(ESTIMATED_ROWS)).containsExactly("scan of item: 1,000 rows in albis, 2,001 rows in hive");
        assertThat(higher.isOfOperators()).isFalse();
        assertThat(difference(scan("item", Double.NaN), scan("item", 1)).lines().get(ESTIMATED_ROWS)).containsExactly("scan of item: unknown rows in albis, 1 rows in hive");
    }

    @Test
    void testReport()
    {
        NormalizedPlan plan = NormalizedPlan.of(join("PARTITIONED", scan("store_sales", 100), scan("item", 9)), TABLES);
        NormalizedPlan other = NormalizedPlan.of(join("REPLICATED", scan("store_sales", 100), scan("item", 9)), TABLES);
        PlansReport report = new PlansReport(ImmutableList.of(
                query("q01", plan, plan),
                query("q02", plan, other)));
        assertThat(report.sections().getFirst().text()).contains(
                "of 2, and their names.",
                "| albis and hive | join order | 0 |  |\n",
                "| albis and hive | join distribution | 1 | q02 |\n",
                "| albis and hive | any operator | 1 | q02 |\n");
        assertThat(report.sections().getLast().text()).isEqualTo("- q02, albis and hive\n  - join distribution: InnerJoin of [store_sales] with [item]: PARTITIONED in albis, REPLICATED in hive\n");
        assertThat(report.json()).contains("\"query\" : \"q01\"", "\"InnerJoin of [store_sales] with [item], REPLICATED, 5 rows\"", "\"join distribution\" : [");
    }

    private static ComparedQuery query(String name, NormalizedPlan albis, NormalizedPlan hive)
    {
        return new ComparedQuery(name, ImmutableMap.of("albis", albis, "hive", hive), ImmutableMap.of(new Pair("albis", "hive"), PlanDifference.of(albis, "albis", hive, "hive", 2)));
    }

    private static PlanDifference difference(PlanNode albis, PlanNode hive)
    {
        return PlanDifference.of(NormalizedPlan.of(albis, TABLES), "albis", NormalizedPlan.of(hive, TABLES), "hive", 2);
    }

    private static PlanNode scan(String table, double rows)
    {
        return node("TableScan", ImmutableMap.of("table", table), ImmutableList.of(), rows);
    }

    private static PlanNode join(String distribution, PlanNode left, PlanNode right)
    {
        return node("InnerJoin", ImmutableMap.of("criteria", "a = b"), ImmutableList.of("Distribution: " + distribution), 5, left, right);
    }

    private static PlanNode aggregate(String type, String keys, PlanNode child)
    {
        return node("Aggregate", ImmutableMap.of("type", type, "keys", keys), ImmutableList.of("count := count(*)"), 5, child);
    }

    private static PlanNode exchange(String type, PlanNode child)
    {
        return node("RemoteExchange", ImmutableMap.of("type", type), ImmutableList.of(), 5, child);
    }

    private static PlanNode node(String name, double rows, PlanNode child)
    {
        return node(name, ImmutableMap.of(), ImmutableList.of(), rows, child);
    }

    private static PlanNode node(String name, Map<String, String> descriptor, List<String> details, double rows, PlanNode... children)
    {
        return new PlanNode(name, descriptor, details, rows, ImmutableList.copyOf(children));
    }
}
