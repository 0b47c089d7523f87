package io.albis.table.model;

import java.util.Optional;

import static java.util.Locale.ENGLISH;

/**
 * The functions of a column by which rows can be partitioned. They are those of Iceberg.
 */
public enum PartitionTransform
{
    IDENTITY(0, false),
    YEAR(1, false),
    MONTH(2, false),
    DAY(3, false),
    HOUR(4, false),
    BUCKET(5, true),
    TRUNCATE(6, true);

    private final int code;
    private final boolean parameterized;

    PartitionTransform(int code, boolean parameterized)
    {
        this.code = code;
        this.parameterized = parameterized;
    }

    /**
     * Returns the code in manifests.
     */
    public int code()
    {
        return code;
    }

    /**
     * Returns whether the function has a number as its parameter.
     */
    public boolean isParameterized()
    {
        return parameterized;
    }

    /**
     * Returns the name in SQL and in versions.
     */
    public String label()
    {
        return name().toLowerCase(ENGLISH);
    }

    public static Optional<PartitionTransform> find(String label)
    {
        for (PartitionTransform transform : values()) {
            if (transform.label().equals(label)) {
                return Optional.of(transform);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the function with a code in manifests; empty if this version of Albis does not know it.
     */
    public static Optional<PartitionTransform> find(int code)
    {
        for (PartitionTransform transform : values()) {
            if (transform.code() == code) {
                return Optional.of(transform);
            }
        }
        return Optional.empty();
    }
}
