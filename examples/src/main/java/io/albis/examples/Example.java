package io.albis.examples;

import io.albis.format.AlbisReader;
import io.albis.format.AlbisSchema;
import io.albis.format.AlbisWriter;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;

import static io.albis.format.AlbisFilter.and;
import static io.albis.format.AlbisFilter.greaterThan;
import static io.albis.format.AlbisFilter.isNull;
import static io.albis.format.AlbisFilter.not;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DateType.DATE;
import static io.trino.spi.type.DecimalType.createDecimalType;
import static io.trino.spi.type.VarcharType.VARCHAR;

public final class Example
{
    private Example() {}

    public static void main(String[] arguments)
            throws IOException
    {
        Path folder = Path.of(arguments[0]);

        AlbisColumn item = AlbisColumn.make(1, "item", BIGINT);
        AlbisColumn sold = AlbisColumn.make(2, "sold", DATE);
        AlbisColumn price = AlbisColumn.make(3, "price", createDecimalType(7, 2));
        AlbisColumn comment = AlbisColumn.make(4, "comment", VARCHAR);
        // The comments have their own column group, so a query that does not need them does not read them
        AlbisSchema schema = AlbisSchema.makeSchema(
                AlbisColumnGroup.make(item, sold, price),
                AlbisColumnGroup.make(comment));

        try (AlbisWriter writer = schema.getWriter(folder)) {
            for (long i = 0; i < 100_000; i++) {
                writer.setValue(0, i);
                writer.setValue(1, LocalDate.of(2018, 7, 11).plusDays(i / 1000));
                writer.setValue(2, BigDecimal.valueOf(i % 10_000, 2));
                writer.setValue(3, i % 3 == 0 ? null : "comment " + i);
                writer.nextRow();
            }
        }

        // The reader skips segments whose bounds exclude the filter, and returns only matching rows
        try (AlbisReader reader = schema.getReader(folder, and(greaterThan(item, 99_996L), not(isNull(comment))), comment, price)) {
            while (reader.hasMore()) {
                reader.next();
                System.out.println(reader.getValue(0) + " " + reader.getValue(1) + ", a row of " + reader.getBinaryRow().length + " bytes");
            }
        }

        // This reader returns vectors instead of rows
        long sum = 0;
        try (AlbisReader reader = schema.getReader(folder, greaterThan(item, 99_996L), item)) {
            for (AlbisBatch batch = reader.nextBatch(); batch != null; batch = reader.nextBatch()) {
                for (int position = 0; position < batch.positionCount(); position++) {
                    sum += BIGINT.getLong(batch.block(0), position);
                }
            }
        }
        System.out.println(sum);
    }
}
