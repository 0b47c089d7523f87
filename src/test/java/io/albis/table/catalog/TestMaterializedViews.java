package io.albis.table.catalog;

import com.fasterxml.jackson.databind.ObjectReader;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.format.metadata.RowGroup;
import io.albis.table.Warehouse;
import io.albis.table.WarehouseViews.Kind;
import io.albis.table.alter.Change;
import io.albis.table.json.JsonMappers;
import io.albis.table.model.ContentHash;
import io.albis.table.model.Materialization.Refresh;
import io.albis.table.model.ViewDefinition;
import io.albis.table.model.ViewDefinition.PathSchema;
import io.albis.table.model.ViewDefinition.ViewColumn;
import io.albis.table.name.NameEntry;
import io.albis.table.path.NumberedFiles;
import io.albis.table.put.SmallFiles;
import io.albis.table.row.ReadSet;
import io.albis.table.version.AlbisTable;
import io.trino.filesystem.memory.MemoryFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.TableFixtures.DEFINITION;
import static io.albis.table.TableFixtures.assertRefused;
import static io.albis.table.TableFixtures.createTable;
import static io.albis.table.TableFixtures.load;
import static io.albis.table.TableFixtures.materializedViewDefinition;
import static io.albis.table.TableFixtures.oneRow;
import static io.albis.table.TableFixtures.refreshOf;
import static io.albis.table.TableFixtures.rowGroupIds;
import static io.albis.table.TableFixtures.rows;
import static io.albis.table.TableFixtures.viewDefinition;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.ALREADY_EXISTS;
import static io.albis.table.model.TableException.Reason.CONFLICT;
import static io.albis.table.model.TableException.Reason.TABLE_NOT_FOUND;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

final class TestMaterializedViews
{
    private final MemoryFileSystem fileSystem = new MemoryFileSystem();
    private final Warehouse warehouse = warehouse(fileSystem);
    private final ViewDefinition view = materializedViewDefinition();

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
        createTable(warehouse, "s", "t", oneRow());
    }

    private AlbisTable create()
    {
        return warehouse.views().create("s", "m", view, Optional.of("a comment"), Optional.of(DEFINITION));
    }

    private Refresh refresh()
    {
        return refreshOf(load(warehouse, "s", "t"));
    }

    @Test
    void testRefresh()
            throws IOException
    {
        AlbisTable created = create();
        assertThat(created.version().isMaterializedView()).isTrue();
        assertThat(created.rowGroups()).isEmpty();
        assertThat(warehouse.views().kind("m", new NameEntry("s", 1))).isEqualTo(Kind.MATERIALIZED_VIEW);
        String file = new String(SmallFiles.read(fileSystem, created.folder().appendPath("versions/" + NumberedFiles.fileName(1))).orElseThrow(), UTF_8);
        assertThat(file).contains("\"features\":[\"view\",\"materialized-view\"]");
        assertRefused(ALREADY_EXISTS, () -> createTable(warehouse, "s", "m"));
        assertRefused(ALREADY_EXISTS, () -> warehouse.views().create("s", "m", viewDefinition(), Optional.empty(), Optional.empty()));

        RowGroup first = oneRow();
        Refresh refresh = refresh();
        warehouse.views().refresh(created, rows(first), refresh, false);
        AlbisTable refreshed = load(warehouse, "s", "m");
        assertThat(refreshed.rowGroups()).containsExactly(first);
        assertThat(refreshed.version().view()).contains(view.withRefresh(refresh));
        assertThat(refreshed.version().operation()).isEqualTo("refresh");

        RowGroup second = oneRow();
        warehouse.views().refresh(refreshed, rows(second), refresh(), true);
        assertThat(rowGroupIds(load(warehouse, "s", "m"))).containsExactlyInAnyOrder(first.id(), second.id());
        RowGroup third = oneRow();
        warehouse.views().refresh(load(warehouse, "s", "m"), rows(third), refresh(), false);
        assertThat(rowGroupIds(load(warehouse, "s", "m"))).containsExactly(third.id());
        warehouse.views().refresh(load(warehouse, "s", "m"), rows(), refresh(), false);
        assertThat(load(warehouse, "s", "m").rowGroups()).isEmpty();

        warehouse.renameTable(load(warehouse, "s", "m"), "s", "n");
        assertThat(warehouse.views().kind("n", new NameEntry("s", 1))).isEqualTo(Kind.MATERIALIZED_VIEW);
        warehouse.dropTable(load(warehouse, "s", "n"));
        createTable(warehouse, "s", "n");
    }

    /**
     * Appends merge small manifests, as those of a table do.
     */
    @Test
    void testManyAppends()
    {
        create();
        for (int i = 0; i < 40; i++) {
            warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
            warehouse.views().refresh(load(warehouse, "s", "m"), rows(oneRow()), refresh(), true);
        }
        AlbisTable loaded = load(warehouse, "s", "m");
        assertThat(loaded.rowGroups()).hasSize(40);
        assertThat(loaded.version().manifests()).hasSizeLessThan(10);
    }

    @Test
    void testConflicts()
    {
        AlbisTable created = create();
        Refresh old = refresh();
        warehouse.append(load(warehouse, "s", "t"), rows(oneRow()), ReadSet.BLIND);
        RowGroup newer = oneRow();
        warehouse.views().refresh(created, rows(newer), refresh(), false);
        // A slower refresh has read an older version
        assertRefused(CONFLICT, () -> warehouse.views().refresh(created, rows(oneRow()), old, false));
        assertRefused(CONFLICT, () -> warehouse.views().refresh(created, rows(oneRow()), old, true));
        assertThat(rowGroupIds(load(warehouse, "s", "m"))).containsExactly(newer.id());

        AlbisTable refreshed = load(warehouse, "s", "m");
        // These commits do not matter to a refresh
        warehouse.alter(refreshed, new Change.AlteredView(definition -> definition.withColumnComment("id", Optional.of("an id"))));
        warehouse.alter(refreshed, new Change.Properties(ImmutableMap.of("row_group_rows", "7"), ImmutableSet.of()));
        RowGroup last = oneRow();
        warehouse.views().refresh(refreshed, rows(last), refresh(), false);
        AlbisTable loaded = load(warehouse, "s", "m");
        assertThat(rowGroupIds(loaded)).containsExactly(last.id());
        assertThat(loaded.version().properties()).containsEntry("row_group_rows", "7");
        assertThat(loaded.version().view().orElseThrow().columns().getFirst().comment()).contains("an id");

        warehouse.views().replace(loaded, view, Optional.empty(), Optional.of(DEFINITION));
        assertThat(load(warehouse, "s", "m").rowGroups()).isEmpty();
        assertThat(load(warehouse, "s", "m").version().view()).contains(view);
        assertRefused(CONFLICT, () -> warehouse.views().refresh(loaded, rows(oneRow()), refresh(), false));
        warehouse.dropTable(load(warehouse, "s", "m"));
        assertRefused(TABLE_NOT_FOUND, () -> warehouse.views().refresh(loaded, rows(oneRow()), refresh(), false));
    }

    @Test
    void testContentHash()
    {
        AlbisTable table = load(warehouse, "s", "t");
        String hash = ContentHash.of(table.version());
        assertThat(hash).matches("[0-9a-f]{64}");
        warehouse.alter(table, new Change.TableComment(Optional.of("another comment")));
        warehouse.alter(table, new Change.CreateTag("tag", OptionalLong.empty()));
        AlbisTable renamed = warehouse.renameTable(load(warehouse, "s", "t"), "s", "u");
        warehouse.expireVersions(renamed, Instant.now().plusSeconds(10), 1);
        assertThat(ContentHash.of(load(warehouse, "s", "u").version())).isEqualTo(hash);
        warehouse.append(renamed, rows(oneRow()), ReadSet.BLIND);
        String appended = ContentHash.of(load(warehouse, "s", "u").version());
        assertThat(appended).isNotEqualTo(hash);
        warehouse.truncate(load(warehouse, "s", "u"));
        assertThat(ContentHash.of(load(warehouse, "s", "u").version())).isNotIn(hash, appended);
        assertThat(ContentHash.of(createTable(warehouse, "s", "v").version())).isNotEqualTo(ContentHash.of(load(warehouse, "s", "u").version()));
    }

    /**
     * The hash of a definition changes with everything that can change the rows of its query.
     */
    @Test
    void testContentHashOfView()
    {
        ViewDefinition definition = viewDefinition();
        String hash = ContentHash.of(definition);
        assertThat(hash).matches("[0-9a-f]{64}");
        ViewColumn column = definition.columns().getFirst();
        List<ViewDefinition> others = ImmutableList.of(
                viewDefinition(),
                with(definition, Optional.of("other"), definition.schema(), column, definition.path()),
                with(definition, definition.catalog(), Optional.of("other"), column, definition.path()),
                with(definition, definition.catalog(), definition.schema(), new ViewColumn("other", column.type(), Optional.empty()), definition.path()),
                with(definition, definition.catalog(), definition.schema(), new ViewColumn(column.name(), "varchar", Optional.empty()), definition.path()),
                with(definition, definition.catalog(), definition.schema(), column, ImmutableList.of(new PathSchema("albis", "functions"))),
                definition.withOwner("bob"));
        assertThat(others.stream().map(ContentHash::of)).doesNotHaveDuplicates().doesNotContain(hash);
        assertThat(ContentHash.of(definition.withColumnComment(column.name(), Optional.of("a comment")))).isEqualTo(hash);
        assertThat(ContentHash.of(view.withRefresh(refresh()))).isEqualTo(ContentHash.of(view));
    }

    private static ViewDefinition with(ViewDefinition view, Optional<String> catalog, Optional<String> schema, ViewColumn column, List<PathSchema> path)
    {
        return new ViewDefinition(view.sql(), catalog, schema, ImmutableList.of(column), view.owner(), view.runAsInvoker(), path, view.materialized());
    }

    /**
     * A build that did not record views and the session has written the definition.
     */
    @Test
    void testRefreshOfEarlierBuild()
            throws IOException
    {
        ObjectReader reader = JsonMappers.reader(_ -> {
            throw new IllegalArgumentException();
        });
        Refresh refresh = reader.readValue("{\"time\":\"2026-11-23T08:30:00.041Z\",\"complete\":true,\"tables\":[]}", Refresh.class);
        assertThat(refresh.views()).isEmpty();
        assertThat(refresh.session()).isEmpty();
    }

    @Test
    void testRegistration()
    {
        AlbisTable created = create();
        warehouse.views().refresh(created, rows(oneRow()), refresh(), false);
        warehouse.dropDamagedTable("s", "m", new NameEntry("s", 1));
        warehouse.maintenance().registerTable("s", "n", created.folder().toString());
        assertThat(warehouse.views().kind("n", new NameEntry("s", 1))).isEqualTo(Kind.MATERIALIZED_VIEW);
        assertThat(load(warehouse, "s", "n").rowGroups()).hasSize(1);
    }
}
