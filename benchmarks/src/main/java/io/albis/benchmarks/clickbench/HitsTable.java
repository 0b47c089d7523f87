package io.albis.benchmarks.clickbench;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.workload.GeneratedTables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Strings.padEnd;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

/**
 * A generated table {@code hits} with the 105 columns of ClickBench's table, which has page views of web sites.
 * ClickBench uses the log of a real site. This table has none of its rows, so figures cannot be compared with those of
 * ClickBench, only with those of other catalogs on the same table.
 *
 * <p>A query generates the rows. The values of a row depend only on the seed, on its number, and on the number of rows,
 * so several threads generate the same rows as one. The statement has the details. The distributions are:
 * <ul>
 * <li>The rows are generated in the order of their days, which are those of July 2013, as if they were loaded every
 * day. Within a day, their times are in no order. Threads that write at the same time mix the rows of a few days.
 * <li>Visitors follow Zipf's law, except that the first 1,000 are about equally frequent. The number of visitors is
 * 30 % of that of the rows, and about two thirds of them appear. A visitor always has the same address, region, system,
 * browser, screen, phone, and language.
 * <li>Counters, of which each is a site, follow Zipf's law, so the most frequent of 6,500 has 8 % of the rows. Ten have
 * more than 1 %. Another 2 % of the rows have the counter 62, which the queries look for.
 * <li>A tenth of the views of a site are of its front page. The others follow Zipf's law over a million pages, with 10
 * about equally frequent ones. The address and the title depend on the page.
 * <li>13 % of the rows have a search phrase. Phrases follow Zipf's law with 20 about equally frequent ones. There are
 * as many as 40 % of the rows, and an eighth of them appear.
 * <li>A fifth of the referers are empty, and 15 % are from one search engine.
 * <li>0.1 % of the addresses, and 0.3 % of the titles, name Google. 0.6 % of the rows have an advertisement. 2 % have
 * the model of a phone.
 * <li>Most other columns have one of few values, or are empty or zero in most rows, such as those of campaigns.
 * <li>The hashes of the address and of the referer that the queries look for are those of the front page of counter 62.
 * The user that they look for is one of those with about five rows.
 * </ul>
 *
 * @param rows number of rows
 * @param seed rows of another seed have other values with the same distributions
 */
public record HitsTable(long rows, long seed)
{
    private static final String TABLE = "hits";
    // Eight letters at most, because the query cuts them out of a text of all words
    private static final List<String> WORDS = ImmutableList.of(
            "buy",
            "cheap",
            "online",
            "shop",
            "price",
            "review",
            "photo",
            "video",
            "music",
            "film",
            "game",
            "news",
            "sport",
            "weather",
            "map",
            "car",
            "house",
            "flat",
            "garden",
            "kitchen",
            "recipe",
            "cake",
            "phone",
            "laptop",
            "camera",
            "printer",
            "book",
            "school",
            "lesson",
            "test",
            "job",
            "bank",
            "credit",
            "travel",
            "hotel",
            "flight",
            "train",
            "ticket",
            "city",
            "beach",
            "mountain",
            "river",
            "dress",
            "shoes",
            "jacket",
            "watch",
            "ring",
            "gift",
            "child",
            "family",
            "health",
            "doctor",
            "diet",
            "fitness",
            "cat",
            "dog",
            "horse",
            "fish",
            "forum",
            "blog",
            "chat",
            "mail",
            "search",
            "download");
    private static final int WORD_LENGTH = 8;
    private static final long MAX_ROWS = 10_000_000_000L;
    private static final long MAX_SEED = 1_000_000;

    public HitsTable
    {
        checkArgument(rows >= 100 && rows <= MAX_ROWS, "rows is not between 100 and %s: %s", MAX_ROWS, rows);
        checkArgument(seed >= 0 && seed <= MAX_SEED, "seed is not between 0 and %s: %s", MAX_SEED, seed);
    }

    /**
     * Returns the name of the schema, which tables of other sizes and seeds do not have.
     */
    public String schema()
    {
        return "hits_%s_%s".formatted(rows, seed);
    }

    /**
     * Generates the table, and loads it into the catalogs that do not have it.
     */
    public void prepare(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Progress progress)
    {
        new GeneratedTables(server, schema(), progress).prepare(catalogs, TABLE, query());
    }

    /**
     * Returns the query that generates the rows.
     */
    String query()
    {
        String words = WORDS.stream()
                .map(word -> padEnd(word, WORD_LENGTH, ' '))
                .collect(joining());
        return resource("hits.sql")
                .replace("${words}", words)
                .replace("${seed}", Long.toString(seed))
                .replace("${rows}", Long.toString(rows))
                .replace("${last-row}", Long.toString(rows - 1))
                .replace("${visitors}", Long.toString(rows * 3 / 10))
                .replace("${sought-visitor}", Long.toString(rows / 40))
                .replace("${phrases}", Long.toString(rows * 4 / 10));
    }

    static String resource(String name)
    {
        try {
            return Resources.toString(Resources.getResource(HitsTable.class, name), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
