package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.connector.ColumnMetadata;

import java.util.List;

/**
 * A table in memory, with pages of any size and any kind of block.
 */
record PagesTable(List<ColumnMetadata> columns, List<Page> pages)
{
    PagesTable
    {
        columns = ImmutableList.copyOf(columns);
        pages = ImmutableList.copyOf(pages);
    }
}
