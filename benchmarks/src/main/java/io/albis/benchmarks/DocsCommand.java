package io.albis.benchmarks;

import io.albis.benchmarks.chart.Charts;
import io.albis.benchmarks.page.Page;
import io.albis.benchmarks.page.ResultFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Writes everything in the documentation that shows figures from the saved reports, without measuring anything.
 */
@Command(name = "docs", description = "Writes the reports, the charts, and the figures of docs/benchmarks.md from the JSON files in docs/results")
class DocsCommand
        implements Callable<Integer>
{
    @Option(names = "--docs", defaultValue = "docs", paramLabel = "DIR", description = "folder with benchmarks.md, results, and charts; ${DEFAULT-VALUE} if not given")
    private Path docs;

    @Option(names = "--import", description = "first create the JSON of reports that older builds wrote only as Markdown")
    private boolean imports;

    @Override
    public Integer call()
            throws IOException
    {
        ResultFolder results = new ResultFolder(docs.resolve("results"));
        if (imports) {
            results.importMarkdown();
        }
        results.writeMarkdown(results.folder());
        Path charts = docs.resolve("charts");
        Files.createDirectories(charts);
        Charts.draw(results, charts);
        Path page = docs.resolve("benchmarks.md");
        Files.writeString(page, new Page(results, Files.readString(results.folder().resolve("figures.txt"))).update(Files.readString(page)));
        return 0;
    }
}
