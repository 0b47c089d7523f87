package io.albis.benchmarks.format.data;

import io.albis.benchmarks.format.file.Column;
import io.trino.spi.Page;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Rows to measure with: always the same for one name.
 */
public interface Dataset
{
    /**
     * Names a folder, and is enough for another process to make the same dataset of it.
     */
    String name();

    List<Column> columns();

    Iterator<Page> pages();

    default List<Type> types()
    {
        return columns().stream()
                .map(Column::type)
                .collect(toImmutableList());
    }
}
