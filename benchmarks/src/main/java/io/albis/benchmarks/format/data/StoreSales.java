package io.albis.benchmarks.format.data;

import com.google.common.collect.AbstractIterator;
import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.file.Column;
import io.trino.plugin.tpcds.TpcdsMetadata;
import io.trino.plugin.tpcds.TpcdsRecordSet;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.RecordPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * The largest table of TPC-DS but one, as Trino's connector for TPC-DS generates it.
 */
public record StoreSales(double scale)
        implements Dataset
{
    public static final String KIND = "store_sales";

    public StoreSales
    {
        checkArgument(scale > 0 && scale <= 100, "not a scale: %s", scale);
    }

    static StoreSales parse(List<String> parts)
    {
        return new StoreSales(Double.parseDouble(parts.get(1)));
    }

    @Override
    public String name()
    {
        return "%s-%s".formatted(KIND, scale);
    }

    @Override
    public List<Column> columns()
    {
        return Arrays.stream(Table.STORE_SALES.getColumns())
                .map(column -> new Column(column.getName(), TpcdsMetadata.getTrinoType(column.getType())))
                .collect(toImmutableList());
    }

    @Override
    public Iterator<Page> pages()
    {
        Session session = Session.getDefaultSession().withScale(scale).withTable(Table.STORE_SALES);
        ConnectorPageSource source = new RecordPageSource(new TpcdsRecordSet(
                Results.constructResults(Table.STORE_SALES, session),
                ImmutableList.copyOf(Table.STORE_SALES.getColumns())));
        return new AbstractIterator<>()
        {
            @Override
            protected Page computeNext()
            {
                while (!source.isFinished()) {
                    SourcePage page = source.getNextSourcePage();
                    if (page != null) {
                        return page.getPage();
                    }
                }
                return endOfData();
            }
        };
    }
}
