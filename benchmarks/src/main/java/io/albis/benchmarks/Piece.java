package io.albis.benchmarks;

import com.google.common.collect.ImmutableMap;

import java.util.Map;
import java.util.OptionalInt;

import static java.util.Objects.requireNonNull;

/**
 * The benchmarks that run together. The text of each constant is the name of a command. Those of which a round takes
 * minutes, most of which change tables, run fewer rounds than the others.
 */
enum Piece
{
    // Those of the format alone are calculated from 25, 40, 10, and 30 minutes, with 14 instead of 8 iterations of each
    // process, and with five instead of four formats in the last two
    format(42, "", "--scale-factor", "0.01"),
    types(67, "", "--rows", "1000", "--types", "bigint,varchar_few_values"),
    columns(21, "", "--rows", "1000", "--columns", "1,100"),
    selectivity(62, "", "--rows", "1000", "--percent", "0.1,50"),
    load(25, Catalogs.LAYOUTS),
    projection(10, Catalogs.LAYOUTS, "--functions", "sum", "--columns", "1,22"),
    // Calculated from the 35 minutes that three catalogs took
    tpcds(47, Catalogs.PEERS, "--queries", "3,96"),
    tpch(Minutes.NOT_MEASURED, Catalogs.PEERS, "--queries", "6,14", "--fractions", "1,58"),
    clickbench(Minutes.NOT_MEASURED, Catalogs.PEERS, "--queries", "1,20,37", "--rows", "10000"),
    topn(Minutes.NOT_MEASURED, Catalogs.PEERS, "--columns", "ss_net_profit", "--sorted", "ss_sold_date_sk"),
    lookup(Minutes.NOT_MEASURED, Catalogs.PEERS, "--loads", "1"),
    thresholds(Minutes.NOT_MEASURED, Catalogs.PARQUET, "--percent", "0.1,20", "--columns", "1"),
    buckets(Minutes.NOT_MEASURED, Catalogs.PARQUET, "--workers", "2", "--buckets", "4"),
    plans(Minutes.NOT_MEASURED, Catalogs.PEERS, "--queries", "3,96"),
    first_split(Minutes.NOT_MEASURED, Catalogs.ALBIS, "--row-groups", "1,10"),
    threads(Minutes.NOT_MEASURED, "", "--scale-factor", "0.01", "--threads", "1,2"),
    segments(Minutes.NOT_MEASURED, "", "--scale-factor", "0.01"),
    compression(Minutes.NOT_MEASURED, "", "--scale-factor", "0.01"),
    objects(Minutes.NOT_MEASURED, "", "--scale-factor", "0.001", "--heap", "2000"),
    slices(Minutes.NOT_MEASURED, "", "--rows", "20000", "--row-group-rows", "10000", "--values", "1000,1000000", "--percent", "1"),
    tables(Minutes.NOT_MEASURED, Catalogs.PEERS),
    join(Minutes.NOT_MEASURED, Catalogs.PEERS, "--rows", "1000"),
    cif(Minutes.NOT_MEASURED, Catalogs.PEERS, "--records", "1000", "--pages", "100", "--page-bytes", "500", "--values", "8000"),
    concurrency(Minutes.NOT_MEASURED, Catalogs.ICEBERG, "--queries", "3,96", "--clients", "1,2", "--repeats", "1"),
    nested(Minutes.NOT_MEASURED, Catalogs.PEERS),
    changes(Minutes.NOT_MEASURED, Catalogs.ICEBERG_VERSIONS, "--fractions", "1"),
    optimize(15, Catalogs.ICEBERG, "--inserts", "5"),
    commits(Minutes.NOT_MEASURED, Catalogs.ICEBERG, "--writers", "1,2", "--commits", "4", "--versions", "10"),
    mixed(22, Catalogs.ICEBERG, "--duration", "3s"),
    /**/;

    /**
     * The benchmarks that do not run together with the others, with what they need.
     */
    public static final Map<String, String> ALONE = ImmutableMap.of(
            "hdfs", "a NameNode and a DataNode that run",
            "co-location", "the built modules hdfs-fixture and placement",
            "disk", "Linux, and the rights to drop its file caches");

    private final int minutes;
    private final String catalogs;
    private final String[] quickArguments;

    /**
     * Creates a constant.
     *
     * @param minutes approximate time at scale sf1 on a machine with two cores, or {@link Minutes#NOT_MEASURED}
     * @param catalogs catalogs to compare; empty for a benchmark of the format alone
     */
    Piece(int minutes, String catalogs, String... quickArguments)
    {
        this.minutes = minutes;
        this.catalogs = requireNonNull(catalogs, "catalogs is null");
        this.quickArguments = quickArguments;
    }

    /**
     * Returns the approximate time, if it has been measured.
     */
    public OptionalInt minutes()
    {
        return minutes == Minutes.NOT_MEASURED ? OptionalInt.empty() : OptionalInt.of(minutes);
    }

    /**
     * Returns the number of rounds, which is lower than that of most benchmarks if a round takes minutes.
     *
     * @param most number of rounds of the others
     */
    public int rounds(int most)
    {
        return switch (this) {
            // A round takes the time of --duration in each catalog
            case mixed -> 1;
            case clickbench, concurrency, changes, optimize, commits -> Math.min(most, 3);
            default -> most;
        };
    }

    /**
     * Returns whether there is a round that does not count before the others. What prepares {@code optimize} and
     * {@code mixed} runs so long that the code is compiled.
     */
    public boolean warmsUp()
    {
        return this != mixed && this != optimize;
    }

    public boolean ofQueries()
    {
        return !catalogs.isEmpty();
    }

    /**
     * Returns whether JMH measures the benchmark.
     */
    public boolean usesJmh()
    {
        return !ofQueries() && this != objects;
    }

    /**
     * Returns whether the queries run on servers in separate processes, as in a cluster.
     */
    public boolean usesServerProcesses()
    {
        return this == tpcds || this == tpch || this == clickbench || this == concurrency;
    }

    /**
     * Returns the catalogs to compare, or an empty text for a benchmark of the format alone.
     */
    public String catalogs()
    {
        return catalogs;
    }

    /**
     * Returns the arguments that a benchmark gets whether it is quick or not.
     */
    public String[] arguments()
    {
        return this == tpch ? new String[] {"--indexed", "shipdate"} : new String[0];
    }

    /**
     * Returns the arguments that a benchmark gets unless it is quick.
     */
    public String[] fullArguments()
    {
        // Creating the 10,000 versions of the default takes long
        return this == commits ? new String[] {"--versions", "1000"} : new String[0];
    }

    public String[] quickArguments()
    {
        return quickArguments;
    }

    @Override
    public String toString()
    {
        return name().replace('_', '-');
    }

    private static final class Minutes
    {
        private static final int NOT_MEASURED = 0;
    }

    private static final class Catalogs
    {
        private static final String ALBIS = "albis";
        private static final String LAYOUTS = "albis,albis_columns,albis_row,iceberg,hive";
        private static final String ICEBERG = "albis,iceberg";
        private static final String ICEBERG_VERSIONS = "albis,iceberg,iceberg+format-version=3";
        private static final String PARQUET = "albis,iceberg,hive";
        private static final String PEERS = "albis,iceberg,hive,hive_orc";
    }
}
