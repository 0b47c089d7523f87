package io.albis.benchmarks.format.data;

import io.trino.spi.type.Type;

import static java.util.Objects.requireNonNull;

public record Column(String name, Type type)
{
    public Column
    {
        requireNonNull(name, "name is null");
        requireNonNull(type, "type is null");
    }
}
