package io.albis.trino.hdfs;

import com.google.common.collect.ImmutableMap;
import io.albis.hdfs.HdfsCluster;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.DistributedQueryRunner;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import static io.airlift.testing.Closeables.closeAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the description of modes, groups, and access control lists in docs/hdfs.md ("Who may read and write"). Three
 * users run the queries: alice and bob are members of the group analysts, and eve is a member of no group.
 */
@TestInstance(PER_CLASS)
@Tag("slow")
class TestHdfsPermissions
{
    private HdfsCluster cluster;
    private DistributedQueryRunner queryRunner;
    private DistributedFileSystem administrator;

    @BeforeAll
    void setup()
            throws Exception
    {
        String user = System.getProperty("user.name");
        cluster = HdfsCluster.builder()
                .addServerProperty("hadoop.proxyuser." + user + ".hosts", "*")
                .addServerProperty("hadoop.proxyuser." + user + ".users", "*")
                .addServerProperty("hadoop.user.group.static.mapping.overrides", "alice=analysts;bob=analysts;eve=;%1$s=%1$s".formatted(user))
                .addClientProperty("fs.permissions.umask-mode", "007")
                .start();
        administrator = new DistributedFileSystem();
        administrator.initialize(URI.create(cluster.uri()), new Configuration());
        queryRunner = AlbisQueryRunner.builder()
                .addAlbisProperties(cluster.catalogProperties())
                .setWorkerCount(0)
                .build();
    }

    @AfterAll
    void close()
            throws Exception
    {
        closeAll(queryRunner, administrator, cluster);
    }

    /**
     * The reason why docs/hdfs.md does not mention this property: it applies to file systems whose folders are created
     * before their files.
     */
    @Test
    void testNewDirectoryPermissionsDoNothing()
            throws IOException
    {
        Path warehouse = warehouse("property", "0750");
        createCatalog("property", ImmutableMap.of("hive.fs.new-directory-permissions", "0700"));
        queryRunner.execute("CREATE SCHEMA property.example");
        queryRunner.execute("CREATE TABLE property.example.numbers AS SELECT 1 AS n");
        assertThat(folders(warehouse)).hasSizeGreaterThan(4)
                .allSatisfy(folder -> assertThat(folder.getPermission()).as(folder.toString()).isEqualTo(new FsPermission("0750")));
    }

    @Test
    void testGroup()
            throws IOException
    {
        Path warehouse = warehouse("grouped", "0770");
        administrator.setOwner(warehouse, null, "analysts");
        createCatalog("grouped", ImmutableMap.of("hive.hdfs.impersonation.enabled", "true"));
        assertSharedByGroup("grouped");
        assertThat(folders(warehouse)).hasSizeGreaterThan(4).allSatisfy(folder -> {
            assertThat(folder.getPermission()).as(folder.toString()).isEqualTo(new FsPermission("0770"));
            assertThat(folder.getGroup()).as(folder.toString()).isEqualTo("analysts");
        });
        assertThat(files(warehouse)).hasSizeGreaterThan(4).allSatisfy(file -> {
            assertThat(file.getPermission()).as(file.toString()).isEqualTo(new FsPermission("0660"));
            assertThat(file.getGroup()).as(file.toString()).isEqualTo("analysts");
        });
    }

    @Test
    void testAccessControlList()
            throws IOException
    {
        Path warehouse = warehouse("listed", "0700");
        administrator.modifyAclEntries(warehouse, AclEntry.parseAclSpec("group:analysts:rwx,default:user::rwx,default:group::---,default:group:analysts:rwx,default:other::---", true));
        createCatalog("listed", ImmutableMap.of("hive.hdfs.impersonation.enabled", "true"));
        assertSharedByGroup("listed");
        assertThat(folders(warehouse)).hasSizeGreaterThan(4)
                .allSatisfy(folder -> assertThat(administrator.getAclStatus(folder.getPath()).getEntries().toString()).as(folder.toString()).contains("group:analysts:rwx", "default:group:analysts:rwx"));
    }

    private void assertSharedByGroup(String catalog)
    {
        queryRunner.execute(session("alice"), "CREATE SCHEMA %s.example".formatted(catalog));
        queryRunner.execute(session("alice"), "CREATE TABLE %s.example.numbers AS SELECT 1 AS n".formatted(catalog));
        // Members of the group can change what another member has created
        queryRunner.execute(session("bob"), "INSERT INTO %s.example.numbers VALUES 2".formatted(catalog));
        queryRunner.execute(session("alice"), "INSERT INTO %s.example.numbers VALUES 3, 4".formatted(catalog));
        queryRunner.execute(session("bob"), "DELETE FROM %s.example.numbers WHERE n = 4".formatted(catalog));
        queryRunner.execute(session("alice"), "UPDATE %s.example.numbers SET n = 3 WHERE n = 3".formatted(catalog));
        queryRunner.execute(session("bob"), "ALTER TABLE %1$s.example.numbers RENAME TO %1$s.example.renamed".formatted(catalog));
        assertThat(queryRunner.execute(session("bob"), "SELECT sum(n) FROM %s.example.renamed".formatted(catalog)).getOnlyValue()).isEqualTo(6L);
        for (String statement : List.of(
                "SELECT n FROM %s.example.renamed",
                "INSERT INTO %s.example.renamed VALUES 4",
                "DELETE FROM %s.example.renamed WHERE n = 1",
                "UPDATE %s.example.renamed SET n = 4",
                "TRUNCATE TABLE %s.example.renamed",
                "CREATE OR REPLACE TABLE %s.example.renamed (n integer)",
                "CREATE TABLE %s.example.other (n integer)",
                "DROP TABLE %s.example.renamed")) {
            assertThatThrownBy(() -> queryRunner.execute(session("eve"), statement.formatted(catalog)))
                    .as(statement)
                    .hasMessageContaining("Permission denied: user=eve");
        }
        assertThat(queryRunner.execute(session("alice"), "SELECT count(*) FROM %s.example.renamed".formatted(catalog)).getOnlyValue()).isEqualTo(3L);
        queryRunner.execute(session("bob"), "DROP TABLE %s.example.renamed".formatted(catalog));
    }

    private Path warehouse(String name, String mode)
            throws IOException
    {
        Path warehouse = new Path(cluster.uri() + "/" + name);
        administrator.mkdirs(warehouse);
        administrator.setPermission(warehouse, new FsPermission(mode));
        return warehouse;
    }

    private void createCatalog(String name, ImmutableMap<String, String> properties)
    {
        queryRunner.createCatalog(name, "albis", ImmutableMap.<String, String>builder()
                .putAll(cluster.catalogProperties())
                .put("albis.warehouse", "%s/%s".formatted(cluster.uri(), name))
                .putAll(properties)
                .buildKeepingLast());
    }

    private Session session(String user)
    {
        return Session.builder(queryRunner.getDefaultSession())
                .setIdentity(Identity.ofUser(user))
                .build();
    }

    private List<FileStatus> folders(Path folder)
            throws IOException
    {
        List<FileStatus> folders = new ArrayList<>();
        for (FileStatus status : administrator.listStatus(folder)) {
            if (status.isDirectory()) {
                folders.add(status);
                folders.addAll(folders(status.getPath()));
            }
        }
        return folders;
    }

    private List<FileStatus> files(Path folder)
            throws IOException
    {
        List<FileStatus> files = new ArrayList<>();
        RemoteIterator<LocatedFileStatus> iterator = administrator.listFiles(folder, true);
        while (iterator.hasNext()) {
            files.add(iterator.next());
        }
        return files;
    }
}
