package io.albis.benchmarks.workload;

import static java.util.Objects.requireNonNull;

/**
 * The scale of the TPC-DS data.
 *
 * @param schema name of the schema in the generator catalog and in all other catalogs
 */
public record TpcdsScale(String schema)
{
    public TpcdsScale
    {
        requireNonNull(schema, "schema is null");
    }

    public static TpcdsScale parse(String text)
    {
        if (!text.matches("tiny|sf[1-9][0-9]{0,5}")) {
            throw new IllegalArgumentException("Not a scale: '%s'. A scale is tiny (10 MB), or sf and a number of gigabytes, such as sf1".formatted(text));
        }
        return new TpcdsScale(text);
    }

    @Override
    public String toString()
    {
        return schema;
    }
}
