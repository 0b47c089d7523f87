package io.albis.benchmarks.result;

import com.google.common.collect.ImmutableList;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.FetchFirst;
import io.trino.sql.tree.Identifier;
import io.trino.sql.tree.Limit;
import io.trino.sql.tree.LongLiteral;
import io.trino.sql.tree.Node;
import io.trino.sql.tree.Offset;
import io.trino.sql.tree.OrderBy;
import io.trino.sql.tree.Query;
import io.trino.sql.tree.QuerySpecification;
import io.trino.sql.tree.SelectItem;
import io.trino.sql.tree.SingleColumn;
import io.trino.sql.tree.SortItem;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.toIntExact;

/**
 * The order of the rows of a query, and which of them the query returns.
 *
 * @param limit number of rows; empty if the query returns all of them
 * @param offset whether the query leaves out rows at the start
 * @param sortKeys expressions of the order
 * @param selected selected expressions; empty if they are unknown
 */
record ResultOrder(OptionalLong limit, boolean offset, List<Expression> sortKeys, List<Expression> selected)
{
    private static final SqlParser PARSER = new SqlParser();

    public ResultOrder
    {
        sortKeys = ImmutableList.copyOf(sortKeys);
        selected = ImmutableList.copyOf(selected);
    }

    public static ResultOrder parse(String sql)
    {
        if (!(PARSER.createStatement(sql) instanceof Query query)) {
            return new ResultOrder(OptionalLong.empty(), false, ImmutableList.of(), ImmutableList.of());
        }
        if (!(query.getQueryBody() instanceof QuerySpecification specification)) {
            return create(query.getLimit(), query.getOffset(), query.getOrderBy(), ImmutableList.of());
        }
        List<Expression> selected = selected(specification.getSelect().getSelectItems());
        // The parser adds the clauses of a simple query to its specification
        if (query.getLimit().isEmpty() && query.getOffset().isEmpty() && query.getOrderBy().isEmpty()) {
            return create(specification.getLimit(), specification.getOffset(), specification.getOrderBy(), selected);
        }
        return create(query.getLimit(), query.getOffset(), query.getOrderBy(), selected);
    }

    private static ResultOrder create(Optional<Node> limit, Optional<Offset> offset, Optional<OrderBy> orderBy, List<Expression> selected)
    {
        return new ResultOrder(
                limit.map(ResultOrder::rows).orElse(OptionalLong.empty()),
                offset.isPresent(),
                orderBy.map(OrderBy::getSortItems).orElse(ImmutableList.of()).stream().map(SortItem::getSortKey).collect(toImmutableList()),
                selected);
    }

    private static OptionalLong rows(Node limit)
    {
        Optional<Expression> count = switch (limit) {
            case Limit rows -> Optional.of(rows.getRowCount());
            case FetchFirst rows when !rows.isWithTies() -> Optional.of(rows.getRowCount().orElse(new LongLiteral("1")));
            default -> Optional.empty();
        };
        return count.isPresent() && count.get() instanceof LongLiteral number ? OptionalLong.of(number.getParsedValue()) : OptionalLong.empty();
    }

    /**
     * Returns the selected expressions by the number of their column, or nothing if an asterisk selects any number of
     * columns.
     */
    private static List<Expression> selected(List<SelectItem> items)
    {
        if (!items.stream().allMatch(SingleColumn.class::isInstance)) {
            return ImmutableList.of();
        }
        return items.stream()
                .map(SingleColumn.class::cast)
                .map(SingleColumn::getExpression)
                .collect(toImmutableList());
    }

    /**
     * Returns whether rows that are equal in the order to the last one may be missing.
     *
     * @param rows number of rows in the result
     */
    public boolean isCutAtEnd(int rows)
    {
        return limit.isPresent() && rows >= limit.getAsLong();
    }

    /**
     * Returns the columns that the result is sorted by, as far as they are part of it.
     *
     * @param names names of the columns of the result
     */
    public List<Integer> sortColumns(List<String> names)
    {
        ImmutableList.Builder<Integer> columns = ImmutableList.builder();
        for (Expression key : sortKeys) {
            OptionalInt column = column(key, names);
            if (column.isEmpty()) {
                // The columns after it only decide between rows for which it is the same
                break;
            }
            columns.add(column.getAsInt());
        }
        return columns.build();
    }

    private OptionalInt column(Expression key, List<String> names)
    {
        if (key instanceof LongLiteral position) {
            return OptionalInt.of(toIntExact(position.getParsedValue()) - 1);
        }
        if (key instanceof Identifier identifier) {
            OptionalInt named = IntStream.range(0, names.size())
                    .filter(index -> names.get(index).equalsIgnoreCase(identifier.getValue()))
                    .findFirst();
            if (named.isPresent()) {
                return named;
            }
        }
        int index = selected.indexOf(key);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }
}
