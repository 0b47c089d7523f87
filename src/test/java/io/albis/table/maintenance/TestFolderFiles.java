package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;
import io.trino.filesystem.FileIterator;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

final class TestFolderFiles
{
    private static final Location FOLDER = Location.of("memory:///s/t-1");
    private static final String ID = "12345678-9abc-4def-8123-456789abcdef";
    private static final String ROW_GROUP = "1f/rg-" + ID + "/cg-" + ID + "/";
    private static final String OTHER_ROW_GROUP = "1e/rg-" + ID.substring(0, ID.length() - 1) + "e/cg-" + ID + "/";

    private final TrinoFileSystem fileSystem = new MemoryFileSystem();

    /**
     * Files that Albis does not know stay, and so do versions. The others are deleted, also those that a writer has
     * added meanwhile.
     */
    @Test
    void testDelete()
            throws IOException
    {
        List<String> kept = ImmutableList.of(
                "1f/notes.txt",
                ROW_GROUP + "data.bak",
                "manifests/list.csv",
                "versions/00000000000000000001.json");
        List<String> deleted = ImmutableList.of(
                ROW_GROUP + "data",
                ROW_GROUP + "metadata",
                OTHER_ROW_GROUP + "data",
                OTHER_ROW_GROUP + "metadata",
                "manifests/" + ID);
        for (String path : kept) {
            write(path);
        }
        for (String path : deleted) {
            write(path);
        }
        FolderFiles files = FolderFiles.list(fileSystem, FOLDER);
        assertThat(files.count()).isEqualTo(deleted.size());
        assertThat(files.bytes()).isEqualTo(deleted.size());
        assertThat(files.isLoad()).isFalse();
        write(ROW_GROUP.replace("cg-1", "cg-2") + "data");
        write("manifests/2" + ID.substring(1));
        files.delete();
        assertThat(list()).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void testLoad()
            throws IOException
    {
        write(ROW_GROUP + "data");
        write(OTHER_ROW_GROUP + "data");
        FolderFiles files = FolderFiles.list(fileSystem, FOLDER);
        assertThat(files.isLoad()).isTrue();
        files.delete();
        assertThat(list()).isEmpty();
        // another one has deleted them
        files.delete();
        assertThat(FolderFiles.list(fileSystem, FOLDER).isLoad()).isFalse();
    }

    private void write(String path)
            throws IOException
    {
        fileSystem.newOutputFile(FOLDER.appendPath(path)).createOrOverwrite(new byte[1]);
    }

    private List<String> list()
            throws IOException
    {
        List<String> paths = new ArrayList<>();
        FileIterator entries = fileSystem.listFiles(Location.of(FOLDER + "/"));
        while (entries.hasNext()) {
            paths.add(entries.next().location().path().substring(FOLDER.path().length() + 1));
        }
        return paths;
    }
}
