package io.albis.trino.differential;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.connector.ColumnMetadata;

import java.util.List;

/**
 * A table that is held in memory, in pages of any size and with blocks of any form.
 */
record PagesTable(List<ColumnMetadata> columns, List<Page> pages)
{
    PagesTable
    {
        columns = ImmutableList.copyOf(columns);
        pages = ImmutableList.copyOf(pages);
    }
}
