package io.albis.benchmarks.format.data;

import io.trino.spi.Page;
import io.trino.spi.type.Type;

import java.util.Iterator;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Rows to measure with. Datasets with the same name always have the same rows.
 */
public interface Dataset
{
    /**
     * Returns the name of the dataset, which is also the name of its directory. Another process can recreate the
     * dataset from the name alone.
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
