package io.albis.benchmarks;

import static java.util.Objects.requireNonNull;

/**
 * The benchmarks that run together. The text of each constant is the name of a command.
 */
enum Piece
{
    format(25, "", "--scale-factor", "0.01"),
    types(40, "", "--rows", "1000", "--types", "bigint,varchar_few_values"),
    columns(10, "", "--rows", "1000", "--columns", "1,100"),
    selectivity(30, "", "--rows", "1000", "--percent", "0.1,50"),
    load(25, Catalogs.LAYOUTS),
    projection(10, Catalogs.LAYOUTS, "--functions", "sum", "--columns", "1,22"),
    tpcds(35, Catalogs.PARQUET, "--queries", "3,96"),
    tpch(0, Catalogs.PEERS, "--queries", "6,14", "--fractions", "1,58"),
    clickbench(0, Catalogs.PEERS, "--queries", "1,20,37", "--rows", "10000"),
    topn(0, Catalogs.PEERS, "--columns", "ss_net_profit", "--sorted", "ss_sold_date_sk"),
    lookup(0, Catalogs.PEERS, "--loads", "1"),
    thresholds(0, Catalogs.PARQUET, "--percent", "0.1,20", "--columns", "1"),
    buckets(0, Catalogs.PARQUET, "--workers", "2", "--buckets", "4"),
    plans(0, Catalogs.PEERS, "--queries", "3,96"),
    first_split(0, Catalogs.ALBIS, "--row-groups", "1,10"),
    threads(0, "", "--scale-factor", "0.01", "--threads", "1,2"),
    segments(0, "", "--scale-factor", "0.01"),
    compression(0, "", "--scale-factor", "0.01"),
    objects(0, "", "--scale-factor", "0.001", "--heap", "2000"),
    tables(0, Catalogs.PEERS),
    join(0, Catalogs.PEERS, "--rows", "1000"),
    cif(0, Catalogs.PEERS, "--records", "1000", "--pages", "100", "--page-bytes", "500", "--values", "8000"),
    concurrency(0, Catalogs.ICEBERG, "--queries", "3,96", "--clients", "1,2", "--repeats", "1"),
    /**/;

    private final int minutes;
    private final String catalogs;
    private final String[] quickArguments;

    /**
     * Creates a constant.
     *
     * @param minutes approximate time at scale sf1 on a machine with two cores
     */
    Piece(int minutes, String catalogs, String... quickArguments)
    {
        this.minutes = minutes;
        this.catalogs = requireNonNull(catalogs, "catalogs is null");
        this.quickArguments = quickArguments;
    }

    public int minutes()
    {
        return minutes;
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

    public String[] quickArguments()
    {
        return quickArguments;
    }

    @Override
    public String toString()
    {
        return name().replace('_', '-');
    }

    private static final class Catalogs
    {
        private static final String ALBIS = "albis";
        private static final String LAYOUTS = "albis,albis_columns,albis_row,iceberg,hive";
        private static final String ICEBERG = "albis,iceberg";
        private static final String PARQUET = "albis,iceberg,hive";
        private static final String PEERS = "albis,iceberg,hive,hive_orc";
    }
}
