package io.albis.benchmarks.cif;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.measure.Progress;
import io.albis.benchmarks.measure.Task;
import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.BenchmarkServer;
import io.albis.benchmarks.server.ComparedColumns;
import io.albis.benchmarks.workload.GeneratedTables;
import io.albis.benchmarks.workload.Numbers;
import io.albis.benchmarks.workload.QueryTask;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Generated pages of a crawler with the schema of Figure 2, and the query of section 6.3: the content types of the
 * pages of one site, which are 6 % of all pages. The pages of the paper are not public.
 *
 * @param contentBytes size of the content of each page
 */
public record CrawledPages(int rows, int contentBytes, String schema)
{
    private static final String TABLE = "pages";
    private static final int SITE_PERCENT = 6;
    private static final int BLOCK_BYTES = 78;

    public CrawledPages
    {
        checkArgument(rows > 0, "rows is not positive");
        checkArgument(contentBytes > 0, "contentBytes is not positive");
        requireNonNull(schema, "schema is null");
    }

    public void prepare(BenchmarkServer server, List<BenchmarkCatalog> catalogs, Progress progress)
    {
        new GeneratedTables(server, schema, progress).prepare(catalogs, TABLE, generator());
    }

    private String generator()
    {
        String site = "IF(%s < %s, 'www.ibm.com/jp/', 'www.example' || CAST(%s AS varchar) || '.com/')".formatted(Generators.number("site", 100), SITE_PERCENT, Generators.number("host", 500));
        // A third of each block is the same in all pages, so that the content can be compressed a little, as pages can
        String content = "to_utf8(array_join(transform(sequence(1, %s), x -> '<p class=\"text\"> the page </p>' || substr(%s, 1, 48)), ''))"
                .formatted(Math.max(1, contentBytes / BLOCK_BYTES), "to_base64(sha512(to_utf8(CAST(i AS varchar) || ' ' || CAST(x AS varchar))))");
        return "SELECT %s FROM %s".formatted(
                String.join(", ", ImmutableList.of(
                        "'http://' || %s || %s || '.html' AS url".formatted(site, Generators.text("path", "24")),
                        "'http://www.example.com/' || %s AS src_url".formatted(Generators.text("source", "24")),
                        "1300000000000 + i * 1000 AS fetch_time",
                        "transform(sequence(1, 1 + %s), x -> 'http://www.example.com/' || substr(%s, CAST(x AS integer), 24)) AS inlink".formatted(Generators.number("links", 8), Generators.characters("link")),
                        "map(%s, %s) AS metadata".formatted(metadataKeys(), metadataValues()),
                        "map(ARRAY['title', 'author', 'topic'], ARRAY[%s, %s, 'topic ' || CAST(%s AS varchar)]) AS annotations".formatted(
                                Generators.text("title", "40"), Generators.text("author", "16"), Generators.number("topic", 50)),
                        content + " AS content")),
                Numbers.below(rows));
    }

    private static String metadataKeys()
    {
        return "ARRAY['content-type', 'encoding', 'language', 'server', 'status', 'content-length', 'etag', 'last-modified', 'location', 'cache-control']";
    }

    private static String metadataValues()
    {
        return "ARRAY[%s]".formatted(String.join(", ", ImmutableList.of(
                "element_at(ARRAY['text/html', 'text/plain', 'application/pdf', 'image/png', 'application/xml'], CAST(1 + %s AS integer))".formatted(Generators.number("type", 5)),
                "element_at(ARRAY['utf-8', 'shift_jis', 'iso-8859-1'], CAST(1 + %s AS integer))".formatted(Generators.number("encoding", 3)),
                "element_at(ARRAY['en', 'ja', 'de', 'fr'], CAST(1 + %s AS integer))".formatted(Generators.number("language", 4)),
                "'server ' || CAST(%s AS varchar)".formatted(Generators.number("server", 20)),
                "'200'",
                "CAST(%s AS varchar)".formatted(Generators.number("length", 100_000)),
                Generators.text("etag", "20"),
                "CAST(1300000000 + %s AS varchar)".formatted(Generators.number("modified", 10_000_000)),
                "'http://www.example.com/' || %s".formatted(Generators.text("location", "16")),
                "'max-age=' || CAST(%s AS varchar)".formatted(Generators.number("age", 4)))));
    }

    public List<Task> queries(BenchmarkServer server)
    {
        return ImmutableList.of(new QueryTask(
                "content types of a site",
                "SELECT DISTINCT element_at(metadata, 'content-type') FROM %s WHERE url LIKE '%%ibm.com/jp%%'".formatted(TABLE),
                schema,
                ComparedColumns.ALL,
                server));
    }
}
