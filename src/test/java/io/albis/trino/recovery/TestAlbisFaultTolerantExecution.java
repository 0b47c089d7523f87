package io.albis.trino.recovery;

import com.google.common.collect.Streams;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseOptions;
import io.albis.trino.AlbisQueryRunner;
import io.trino.Session;
import io.trino.filesystem.Location;
import io.trino.filesystem.local.LocalFileSystem;
import io.trino.metadata.InternalFunctionBundle;
import io.trino.operator.RetryPolicy;
import io.trino.spi.type.TypeId;
import io.trino.testing.DistributedQueryRunner;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.trino.testing.assertions.Assert.assertEventually;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.EnumSource.Mode.EXCLUDE;

/**
 * Loads in which an attempt fails after it has written files. {@link BaseAlbisFailureRecoveryTest} covers all kinds of
 * failures.
 */
@Tag("slow")
class TestAlbisFaultTolerantExecution
{
    private static final String CHECKSUMS = "SELECT count(*), checksum(orderkey), checksum(comment) FROM ";

    @TempDir
    private Path exchangeFolder;
    @TempDir
    private Path warehouseFolder;

    @ParameterizedTest
    @EnumSource(mode = EXCLUDE, names = "NONE")
    @Timeout(300)
    void testFilesOfFailedAttempts(RetryPolicy retryPolicy)
            throws Exception
    {
        try (DistributedQueryRunner queryRunner = AlbisQueryRunner.builder()
                .addExtraProperty("retry-policy", retryPolicy.name())
                .addExtraProperty("retry-initial-delay", "10ms")
                .addExtraProperty("fault-tolerant-execution-task-memory", "500MB")
                .withExchange("filesystem", Map.of("exchange.base-directories", exchangeFolder.toUri().toString()))
                .addAlbisProperty("local.location", warehouseFolder.toString())
                .addAlbisProperty("albis.row-group-rows", "500")
                .build()) {
            queryRunner.addFunctions(InternalFunctionBundle.builder().scalars(FailOnceFunction.class).build());
            // The task that reads a row also writes it
            Session session = Session.builder(queryRunner.getDefaultSession())
                    .setSystemProperty("redistribute_writes", "false")
                    .setSystemProperty("scale_writers", "false")
                    .build();
            List<MaterializedRow> orders = checksums(queryRunner, session, "tpch.tiny.orders");

            String created = retryPolicy + "-create";
            queryRunner.execute(session, "CREATE TABLE t AS " + ordersFailingOnce(created));
            assertThat(FailOnceFunction.hasFailed(created)).isTrue();
            assertThat(checksums(queryRunner, session, "t")).isEqualTo(orders);

            String inserted = retryPolicy + "-insert";
            queryRunner.execute(session, "CREATE TABLE u AS TABLE t WITH NO DATA");
            queryRunner.execute(session, "INSERT INTO u " + ordersFailingOnce(inserted));
            assertThat(FailOnceFunction.hasFailed(inserted)).isTrue();
            assertThat(checksums(queryRunner, session, "u")).isEqualTo(orders);

            String partitioned = retryPolicy + "-partitioned";
            queryRunner.execute(session, "CREATE TABLE p WITH (partitioned_by = ARRAY['orderstatus', 'year(orderdate)', 'bucket(custkey, 3)']) AS " + ordersFailingOnce(partitioned));
            queryRunner.execute(session, "INSERT INTO p " + ordersFailingOnce(partitioned + "-insert"));
            assertThat(FailOnceFunction.hasFailed(partitioned + "-insert")).isTrue();

            Session withoutRetries = Session.builder(session)
                    .setSystemProperty("retry_policy", "NONE")
                    .build();
            assertThatThrownBy(() -> queryRunner.execute(withoutRetries, "INSERT INTO u " + ordersFailingOnce(retryPolicy + "-failed")))
                    .hasMessageContaining("this attempt fails");
            assertThat(checksums(queryRunner, session, "u")).isEqualTo(orders);

            String read = retryPolicy + "-read";
            assertThat(checksums(queryRunner, session, "t WHERE NOT fail_once('%s', orderkey = 32000)".formatted(read))).isEqualTo(orders);
            assertThat(FailOnceFunction.hasFailed(read)).isTrue();

            // A row that several attempts have read counts once for the first rows
            String first = retryPolicy + "-first";
            String last = "SELECT orderkey FROM (SELECT orderkey, custkey FROM t ORDER BY orderkey DESC LIMIT 700)";
            assertThat(queryRunner.execute(session, "SELECT count(*), checksum(orderkey) FROM (%s) WHERE NOT fail_once('%s', orderkey = 59008)".formatted(last, first)).getMaterializedRows())
                    .isEqualTo(queryRunner.execute(session, "SELECT count(*), checksum(orderkey) FROM (SELECT orderkey FROM tpch.tiny.orders ORDER BY orderkey DESC LIMIT 700)").getMaterializedRows());
            assertThat(FailOnceFunction.hasFailed(first)).isTrue();

            // The files of failed attempts are deleted once the last of their tasks has stopped
            assertEventually(() -> assertThat(writtenRowGroups()).isEqualTo(committedRowGroups("t", "u", "p")));

            queryRunner.execute(session, "UPDATE p SET orderstatus = 'X' WHERE orderkey % 7 = 0");
            queryRunner.execute(session, "DELETE FROM p WHERE orderstatus = 'X'");
            queryRunner.execute(session, "ALTER TABLE p EXECUTE optimize");
            assertThat(checksums(queryRunner, session, "p")).isEqualTo(checksums(queryRunner, session, "(SELECT * FROM t WHERE orderkey % 7 <> 0 UNION ALL SELECT * FROM t WHERE orderkey % 7 <> 0)"));

            queryRunner.execute(session, "DELETE FROM t WHERE orderkey % 10 = 0");
            List<MaterializedRow> remaining = checksums(queryRunner, session, "t");
            queryRunner.execute(session, "ALTER TABLE t EXECUTE optimize");
            assertThat(checksums(queryRunner, session, "t")).isEqualTo(remaining);
            assertThat(queryRunner.execute(session, "SELECT sum(deleted_record_count) FROM \"t$files\"").getOnlyValue()).isEqualTo(0L);

            queryRunner.execute(session, "ALTER TABLE t EXECUTE regroup(column_groups => ARRAY[ARRAY['comment', 'orderkey'], ARRAY['custkey']])");
            assertThat(checksums(queryRunner, session, "t")).isEqualTo(remaining);
            assertThat(queryRunner.execute(session, "SELECT count_if(operation = 'regroup') FROM \"t$snapshots\"").getOnlyValue()).isEqualTo(1L);

            queryRunner.execute(session, "ALTER TABLE t EXECUTE add_index(columns => ARRAY['custkey'])");
            assertThat(checksums(queryRunner, session, "t")).isEqualTo(remaining);
            assertThat(queryRunner.execute(session, "SELECT count_if(operation = 'regroup') FROM \"t$snapshots\"").getOnlyValue()).isEqualTo(2L);
        }
    }

    private static String ordersFailingOnce(String token)
    {
        return "SELECT * FROM tpch.tiny.orders WHERE NOT fail_once('%s', orderkey = 32000)".formatted(token);
    }

    private static List<MaterializedRow> checksums(DistributedQueryRunner queryRunner, Session session, String table)
    {
        return queryRunner.execute(session, CHECKSUMS + table).getMaterializedRows();
    }

    private Set<UUID> committedRowGroups(String... tables)
    {
        Warehouse warehouse = new Warehouse(new LocalFileSystem(warehouseFolder), Location.of("local:///warehouse"), typeId -> TESTING_TYPE_MANAGER.getType(TypeId.of(typeId)), WarehouseOptions.DEFAULT.withLocalRoot(warehouseFolder));
        return Stream.of(tables)
                .flatMap(table -> warehouse.loadTable("tpch", table).orElseThrow().rowGroups().stream())
                .map(RowGroup::id)
                .collect(toImmutableSet());
    }

    private Set<UUID> writtenRowGroups()
    {
        try (Stream<Path> files = Files.walk(warehouseFolder)) {
            return files.filter(Files::isRegularFile)
                    .flatMap(file -> Streams.stream(file.iterator()))
                    .flatMap(name -> RowGroup.folderId(name.toString()).stream())
                    .collect(toImmutableSet());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
