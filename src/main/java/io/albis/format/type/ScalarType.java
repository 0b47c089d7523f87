package io.albis.format.type;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.trino.spi.type.StandardTypes;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The scalar types of Trino that Albis stores. This is the only list of them: every class that treats types differently
 * switches over this enum, so the compiler names each place that a new type has to be added to.
 */
public enum ScalarType
{
    BOOLEAN(StandardTypes.BOOLEAN),
    TINYINT(StandardTypes.TINYINT),
    SMALLINT(StandardTypes.SMALLINT),
    INTEGER(StandardTypes.INTEGER),
    BIGINT(StandardTypes.BIGINT),
    REAL(StandardTypes.REAL),
    DOUBLE(StandardTypes.DOUBLE),
    DECIMAL(StandardTypes.DECIMAL),
    DATE(StandardTypes.DATE),
    TIME(StandardTypes.TIME),
    TIME_WITH_TIME_ZONE(StandardTypes.TIME_WITH_TIME_ZONE),
    TIMESTAMP(StandardTypes.TIMESTAMP),
    TIMESTAMP_WITH_TIME_ZONE(StandardTypes.TIMESTAMP_WITH_TIME_ZONE),
    CHAR(StandardTypes.CHAR),
    VARCHAR(StandardTypes.VARCHAR),
    VARBINARY(StandardTypes.VARBINARY),
    UUID(StandardTypes.UUID),
    JSON(StandardTypes.JSON),
    IPADDRESS(StandardTypes.IPADDRESS);

    private static final Map<String, ScalarType> BY_BASE_NAME = ImmutableMap.copyOf(Maps.uniqueIndex(Arrays.asList(values()), type -> type.baseName));

    private final String baseName;

    ScalarType(String baseName)
    {
        this.baseName = baseName;
    }

    /**
     * Returns Trino's name of the type without parameters, such as {@code decimal}.
     */
    public String baseName()
    {
        return baseName;
    }

    /**
     * Finds a type by its base name, such as {@code decimal}.
     *
     * @return empty if Albis does not store the type
     */
    public static Optional<ScalarType> find(String baseName)
    {
        return Optional.ofNullable(BY_BASE_NAME.get(baseName));
    }

    /**
     * Returns the scalar type that a Trino type belongs to.
     *
     * @throws IllegalArgumentException if Albis does not store the type
     */
    public static ScalarType of(Type type)
    {
        return find(type.getBaseName()).orElseThrow(() -> new IllegalArgumentException("Albis cannot store type " + type.getDisplayName()));
    }
}
