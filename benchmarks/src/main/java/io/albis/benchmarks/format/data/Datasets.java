package io.albis.benchmarks.format.data;

import com.google.common.base.Splitter;

import java.util.List;

/**
 * Finds datasets by name.
 */
public final class Datasets
{
    private Datasets() {}

    /**
     * Returns the dataset with the given name.
     *
     * @throws IllegalArgumentException if there is no such dataset
     */
    public static Dataset parse(String name)
    {
        List<String> parts = Splitter.on('-').splitToList(name);
        return switch (parts.getFirst()) {
            case StoreSales.KIND -> StoreSales.parse(parts);
            case TypeSample.KIND -> TypeSample.parse(parts);
            case IntegerColumns.KIND -> IntegerColumns.parse(parts);
            case KeyedRows.KIND -> KeyedRows.parse(parts);
            default -> throw new IllegalArgumentException("There is no dataset " + name);
        };
    }
}
