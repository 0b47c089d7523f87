package io.albis.benchmarks.page;

import com.google.common.base.Splitter;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Says where the cells of a column of a page come from. Its text is one of
 * <pre>
 * HEADER = *
 * HEADER = COLUMN
 * HEADER = COLUMN @ ROW
 * HEADER = COLUMN | number
 * HEADER = COLUMN over OTHER COLUMN
 * HEADER = COLUMN relative to ROW
 * </pre>
 * The first is the name of the row on the page. The second takes the cell as it is, the third that of another row, in
 * whose name the star stands for the name of this row, and the fourth only the first number of the cell. The others are
 * ratios with two decimals.
 */
record ColumnRule(String header, String column, String row, Kind kind, String other)
{
    private static final String NAME = "*";
    private static final String ROW = " @ ";
    private static final String NUMBER = " | number";
    private static final String OVER = " over ";
    private static final String RELATIVE = " relative to ";
    private static final int DECIMALS = 2;

    enum Kind
    {
        NAME, COPY, NUMBER, OVER, RELATIVE
    }

    ColumnRule
    {
        requireNonNull(header, "header is null");
        requireNonNull(column, "column is null");
        requireNonNull(row, "row is null");
        requireNonNull(kind, "kind is null");
        requireNonNull(other, "other is null");
    }

    static ColumnRule parse(String line)
    {
        List<String> sides = Splitter.on(" = ").limit(2).splitToList(line);
        checkArgument(sides.size() == 2, "not a column such as 'HEADER = COLUMN': %s", line);
        String column = sides.getLast();
        Kind kind = column.equals(NAME) ? Kind.NAME : Kind.COPY;
        String other = "";
        if (column.endsWith(NUMBER)) {
            kind = Kind.NUMBER;
            column = column.substring(0, column.length() - NUMBER.length());
        }
        else if (column.contains(OVER)) {
            kind = Kind.OVER;
            other = after(column, OVER);
            column = before(column, OVER);
        }
        else if (column.contains(RELATIVE)) {
            kind = Kind.RELATIVE;
            other = after(column, RELATIVE);
            column = before(column, RELATIVE);
        }
        String row = column.contains(ROW) ? after(column, ROW) : NAME;
        return new ColumnRule(sides.getFirst(), before(column, ROW), row, kind, other);
    }

    private static String before(String text, String separator)
    {
        int index = text.indexOf(separator);
        return index < 0 ? text : text.substring(0, index);
    }

    private static String after(String text, String separator)
    {
        return text.substring(text.indexOf(separator) + separator.length());
    }

    /**
     * Returns a cell of the column.
     *
     * @param name name of the row on the page
     */
    String cell(Cells cells, String name)
    {
        String source = row.replace(NAME, name);
        return switch (kind) {
            case NAME -> name;
            case COPY -> cells.get(source, column);
            case NUMBER -> before(cells.get(source, column), " ");
            case OVER -> Cells.format(cells.number(source, column) / cells.number(source, other), DECIMALS);
            case RELATIVE -> Cells.format(cells.number(source, column) / cells.number(other, column), DECIMALS);
        };
    }
}
