package io.albis.benchmarks.planning;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class TestManyRowGroups
{
    @TempDir
    private Path folder;

    /**
     * The folder of a dropped table remains, so folders are counted.
     */
    @Test
    void testTablesOfOtherBuilds()
            throws IOException
    {
        new ManyRowGroups(folder, "one build").prepare(2);
        new ManyRowGroups(folder, "one build").prepare(2);
        assertThat(tables()).isEqualTo(1);
        new ManyRowGroups(folder, "another build").prepare(2);
        assertThat(tables()).isEqualTo(2);
    }

    private long tables()
            throws IOException
    {
        try (Stream<Path> folders = Files.list(folder.resolve(ManyRowGroups.SCHEMA))) {
            return folders.filter(table -> table.getFileName().toString().startsWith(ManyRowGroups.table(2))).count();
        }
    }
}
