package io.albis.format;

import io.albis.format.schema.AlbisColumn;
import io.trino.spi.Page;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeUtils;

import java.util.ArrayList;
import java.util.List;

import static io.trino.spi.type.TypeUtils.readNativeValue;

/**
 * The values of pages as lists, to compare the rows that are read with those that were written.
 */
final class RowValues
{
    private RowValues() {}

    static List<List<Object>> rows(List<Page> pages, List<AlbisColumn> columns)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (Page page : pages) {
            for (int position = 0; position < page.getPositionCount(); position++) {
                List<Object> row = new ArrayList<>();
                for (int channel = 0; channel < columns.size(); channel++) {
                    Type type = columns.get(channel).type();
                    Object value = readNativeValue(type, page.getBlock(channel), position);
                    if (value instanceof Double number && number.isNaN()) {
                        value = new BitsOfNan(Double.doubleToRawLongBits(number));
                    }
                    else if (value != null && TypeUtils.isFloatingPointNaN(type, value)) {
                        value = new BitsOfNan((long) value);
                    }
                    row.add(value);
                }
                rows.add(row);
            }
        }
        return rows;
    }

    static List<List<Object>> project(List<List<Object>> rows, List<AlbisColumn> columns, List<AlbisColumn> projection)
    {
        return rows.stream()
                .map(row -> projection.stream().map(column -> row.get(columns.indexOf(column))).toList())
                .map(row -> (List<Object>) new ArrayList<>(row))
                .toList();
    }

    /**
     * Represents a NaN with its payload, which equals of Double and Float ignores.
     */
    record BitsOfNan(long bits) {}
}
