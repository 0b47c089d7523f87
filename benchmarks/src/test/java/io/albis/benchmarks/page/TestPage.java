package io.albis.benchmarks.page;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.report.JsonReports;
import io.albis.benchmarks.report.MarkdownReports;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestPage
{
    @TempDir
    private Path folder;

    @BeforeEach
    void writeReport()
            throws IOException
    {
        Files.writeString(folder.resolve("types.json"), JsonReports.render(MarkdownReports.parse(
                """
                # Types

                - machine: two cores

                ## Each

                | type | time albis | time hive | ratio |
                | --- | ---: | ---: | ---: |
                | bigint | 1,000.0 | 2,500.0 | 2.50 [2.40, 2.60] hive |
                | bigint with nulls | 100.0 | 300.0 | 3.00 [2.90, 3.10] hive |
                | real | 10.0 | 5.0 | 0.50 [0.40, 0.60] hive |
                """,
                ImmutableList.of())));
    }

    @Test
    void testWholeTable()
    {
        String table =
                """
                | type | time albis | time hive | ratio |
                | --- | ---: | ---: | ---: |
                | bigint | 1,000.0 | 2,500.0 | 2.50 [2.40, 2.60] hive |
                | bigint with nulls | 100.0 | 300.0 | 3.00 [2.90, 3.10] hive |
                | real | 10.0 | 5.0 | 0.50 [0.40, 0.60] hive |
                """;
        assertUpdate("<!-- table: types / Each -->\n| old | table |\n\nText.\n", "<!-- table: types / Each -->\n" + table + "\nText.\n");
        assertUpdate("<!-- table: types / Each -->\n\nText.\n", "<!-- table: types / Each -->\n" + table + "\nText.\n");
    }

    @Test
    void testColumns()
    {
        String rule =
                """
                <!-- table: types / Each
                rows = * with nulls, real
                name = *
                Albis = time albis
                times = ratio @ * | number
                hive / albis = time hive over time albis
                with nulls = time albis @ bigint with nulls
                to real = time albis relative to real
                -->
                """;
        assertUpdate("Before\n\n" + rule + "| old |\n| --- |\nAfter", "Before\n\n" + rule +
                """
                | name | Albis | times | hive / albis | with nulls | to real |
                | --- | ---: | ---: | ---: | ---: | ---: |
                | bigint | 1,000.0 | 2.50 | 2.50 | 100.0 | 100.00 |
                | real | 10.0 | 0.50 | 0.50 | 100.0 | 1.00 |
                After""");
    }

    @Test
    void testNotMeasured()
    {
        assertUpdate("<!-- table: none / Each -->\n| old |\n", "<!-- table: none / Each -->\nNot measured yet.\n");
        assertUpdate("<!-- table: none / Each -->\nNot measured yet.\n\nMore", "<!-- table: none / Each -->\nNot measured yet.\n\nMore");
    }

    @Test
    void testFigures()
    {
        assertUpdate(
                "It takes <!--= cell -->old<!--.-->, or <!--= ratio -->1<!--.--> and <!--= number --><!--.--> times.",
                "It takes <!--= cell -->1,000.0<!--.-->, or <!--= ratio -->3.33<!--.--> and <!--= number -->3<!--.--> times.");
    }

    @Test
    void testMistakes()
    {
        assertThatThrownBy(() -> update("<!--= other -->1<!--.-->")).hasMessage("there is no figure 'other'");
        assertThatThrownBy(() -> update("<!-- table: types / All -->\n")).hasMessage("There is no section 'All'");
        assertThatThrownBy(() -> update("<!-- table: types / Each\na = b\n-->\n")).hasMessage("types has no column 'b', but [type, time albis, time hive, ratio]");
        assertThatThrownBy(() -> update("<!-- table: types / Each\na = type @ date\n-->\n")).hasMessage("types has no row 'date', but [bigint, bigint with nulls, real]");
        assertThatThrownBy(() -> update("<!-- table: types -->\n")).hasMessage("not a table such as 'REPORT / SECTION': types");
        assertThatThrownBy(() -> update("<!-- table: types / Each\na\n-->\n")).hasMessage("not a column such as 'HEADER = COLUMN': a");
    }

    private void assertUpdate(String page, String expected)
    {
        assertThat(update(page)).isEqualTo(expected);
        assertThat(update(expected)).isEqualTo(expected);
    }

    private String update(String page)
    {
        return new Page(
                new ResultFolder(folder),
                """
                # A comment

                cell = types; Each; bigint; time albis
                ratio = types; Each; bigint; time albis / bigint with nulls; time hive -> 2
                number = types; Each; bigint with nulls; ratio -> 0
                """).update(page);
    }
}
