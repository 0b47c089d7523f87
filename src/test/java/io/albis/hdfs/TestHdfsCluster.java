package io.albis.hdfs;

import io.trino.filesystem.FileEntry;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.OutputStream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(1800)
@Tag("slow")
class TestHdfsCluster
{
    @Test
    void testProcesses()
            throws IOException
    {
        long nameNode;
        long dataNode;
        try (HdfsCluster cluster = HdfsCluster.builder().start()) {
            Location file = Location.of(cluster.uri() + "/folder/file");
            TrinoFileSystem fileSystem = cluster.fileSystem();
            try (OutputStream output = fileSystem.newOutputFile(file).create()) {
                output.write(new byte[] {1, 2, 3});
            }

            // Splits are placed by these hosts
            FileEntry entry = fileSystem.listFiles(file.parentDirectory()).next();
            assertThat(entry.location()).isEqualTo(file);
            assertThat(entry.blocks()).hasValueSatisfying(blocks -> assertThat(blocks).singleElement().satisfies(block -> {
                assertThat(block.hosts()).containsExactly("127.0.0.1");
                assertThat(block.offset()).isEqualTo(0);
                assertThat(block.length()).isEqualTo(3);
            }));

            // The NameNode restarts at the same address, with the same files
            String uri = cluster.uri();
            cluster.nameNode().restart();
            cluster.dataNode(0).restart();
            cluster.awaitReady();
            assertThat(cluster.uri()).isEqualTo(uri);
            assertThat(read(fileSystem, file)).containsExactly(1, 2, 3);

            nameNode = cluster.nameNode().pid();
            dataNode = cluster.dataNode(0).pid();
            assertThat(ProcessHandle.of(nameNode)).isPresent();
        }
        assertThat(isAlive(nameNode)).isFalse();
        assertThat(isAlive(dataNode)).isFalse();
    }

    private static boolean isAlive(long pid)
    {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static byte[] read(TrinoFileSystem fileSystem, Location file)
            throws IOException
    {
        try (TrinoInputStream input = fileSystem.newInputFile(file).newStream()) {
            return input.readAllBytes();
        }
    }
}
