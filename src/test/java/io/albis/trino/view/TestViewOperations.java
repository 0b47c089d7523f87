package io.albis.trino.view;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.table.Warehouse;
import io.albis.trino.relation.TableLoader;
import io.trino.filesystem.memory.MemoryFileSystem;
import io.trino.spi.connector.ConnectorViewDefinition;
import io.trino.spi.connector.ConnectorViewDefinition.ViewColumn;
import io.trino.spi.connector.SchemaTableName;
import io.trino.spi.type.TypeId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.function.Consumer;

import static io.albis.table.TableFixtures.warehouse;
import static io.trino.spi.StandardErrorCode.TRANSACTION_CONFLICT;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two transactions that change a view at the same time.
 */
final class TestViewOperations
{
    private static final SchemaTableName NAME = new SchemaTableName("s", "v");

    private final Warehouse warehouse = warehouse(new MemoryFileSystem());

    @BeforeEach
    void setUp()
    {
        warehouse.createSchema("s", Optional.empty(), ImmutableMap.of());
    }

    /**
     * ALTER VIEW REFRESH reads the view, and analyzes its query before it changes the view.
     */
    @Test
    void testChangeDuringRefresh()
    {
        assertConflict(other -> other.create(NAME, definition("SELECT 2 AS n", "integer"), true));
        assertConflict(other -> other.setOwner(NAME, "bob"));
        assertConflict(other -> other.setColumnComment(NAME, "n", Optional.of("a number")));
        assertConflict(other -> other.refresh(NAME, definition("SELECT 1 AS n", "smallint")));
    }

    private void assertConflict(Consumer<ViewOperations> change)
    {
        transaction().create(NAME, definition("SELECT 1 AS n", "integer"), true);
        ViewOperations refreshing = transaction();
        assertThat(refreshing.find(NAME)).isPresent();
        change.accept(transaction());
        ConnectorViewDefinition changed = transaction().find(NAME).orElseThrow();
        assertTrinoExceptionThrownBy(() -> refreshing.refresh(NAME, definition("SELECT 1 AS n", "bigint")))
                .hasErrorCode(TRANSACTION_CONFLICT)
                .hasMessageContaining("Another transaction has changed the view 's.v'");
        assertThat(transaction().find(NAME)).get().usingRecursiveComparison().isEqualTo(changed);
    }

    @Test
    void testRefreshKeepsCommentOfOthers()
    {
        transaction().create(NAME, definition("SELECT 1 AS n", "integer"), false);
        ViewOperations refreshing = transaction();
        assertThat(refreshing.find(NAME)).isPresent();
        transaction().setComment(NAME, Optional.of("a comment"));
        refreshing.refresh(NAME, definition("SELECT 1 AS n", "bigint"));
        ConnectorViewDefinition view = transaction().find(NAME).orElseThrow();
        assertThat(view.getComment()).contains("a comment");
        assertThat(view.getColumns().getFirst().getType()).isEqualTo(TypeId.of("bigint"));
    }

    private ViewOperations transaction()
    {
        return new ViewOperations(warehouse, new TableLoader(warehouse), new ExpandedViews());
    }

    private static ConnectorViewDefinition definition(String sql, String type)
    {
        return new ConnectorViewDefinition(
                sql,
                Optional.of("albis"),
                Optional.of("s"),
                ImmutableList.of(new ViewColumn("n", TypeId.of(type), Optional.empty())),
                Optional.empty(),
                Optional.of("alice"),
                false,
                ImmutableList.of());
    }
}
