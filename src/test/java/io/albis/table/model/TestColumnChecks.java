package io.albis.table.model;

import com.google.common.collect.ImmutableList;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

import static io.albis.format.schema.AlbisLayout.BLOCK;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestColumnChecks
{
    private static final List<TableColumn> COLUMNS = ImmutableList.of(column(1, "first"), column(2, "second"), column(3, "third"));

    @Test
    void testValid()
    {
        assertThatCode(() -> ColumnChecks.check(COLUMNS, ImmutableList.of(group(1, 3), group(2)))).doesNotThrowAnyException();
    }

    @Test
    void testColumnsWithoutGroup()
    {
        assertThatThrownBy(() -> ColumnChecks.check(COLUMNS, ImmutableList.of(group(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("columns [first, third] are not in any column group");
    }

    @Test
    void testGroupsOfOtherColumns()
    {
        assertThatThrownBy(() -> ColumnChecks.check(COLUMNS, ImmutableList.of(group(1, 2, 3, 4))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a column group has the column with id 4, which the table does not have");
        assertThatThrownBy(() -> ColumnChecks.check(COLUMNS, ImmutableList.of(group(1, 2, 3), group(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the column with id 2 is in column groups twice");
    }

    private static TableColumn column(int id, String name)
    {
        return new TableColumn(id, name, BIGINT, true, Optional.empty());
    }

    private static TableColumnGroup group(Integer... columns)
    {
        return new TableColumnGroup(BLOCK, ImmutableList.copyOf(columns));
    }
}
