package io.albis.format.schema;

import io.trino.spi.type.ArrayType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Objects.requireNonNull;

/**
 * Describes what a scan returns for each array or map of a column instead of the array or map itself. It is null where
 * the array or map is null, and may be null where it is not.
 *
 * @param form what the scan returns
 * @param index index of the element of an array, starting at 1; if it is negative, it counts from the end; 0 without
 *         an element
 * @param key key of the entry of a map; empty without an entry
 */
public record ElementAccess(Form form, int index, Optional<InitialValue> key)
{
    public enum Form
    {
        /**
         * The number of elements of an array or of entries of a map.
         */
        CARDINALITY,
        /**
         * One element of an array, or null if the array is too short.
         */
        ARRAY_ELEMENT,
        /**
         * The beginning of an array up to one element, in which the other elements are null.
         */
        ARRAY_PREFIX,
        /**
         * The value of one key of a map, or null if the map does not have the key.
         */
        MAP_VALUE,
        /**
         * A map with only the entry of one key, which is empty if the map does not have the key.
         */
        MAP_ENTRY,
    }

    // of a key in a name, in characters
    private static final int MAX_KEY_LENGTH = 50;

    private static final ElementAccess CARDINALITY = new ElementAccess(Form.CARDINALITY, 0, Optional.empty());

    public ElementAccess
    {
        requireNonNull(form, "form is null");
        requireNonNull(key, "key is null");
        boolean indexed = form == Form.ARRAY_ELEMENT || form == Form.ARRAY_PREFIX;
        checkArgument(indexed == (index != 0), "form %s cannot have the index %s", form, index);
        checkArgument(form != Form.ARRAY_PREFIX || index > 0, "the prefix of an array cannot end at the index %s", index);
        boolean keyed = form == Form.MAP_VALUE || form == Form.MAP_ENTRY;
        checkArgument(keyed == key.isPresent(), "form %s cannot have the key %s", form, key);
    }

    public static ElementAccess cardinality()
    {
        return CARDINALITY;
    }

    /**
     * Returns access to one element of each array.
     *
     * @param index index of the element, starting at 1; if it is negative, it counts from the end
     */
    public static ElementAccess arrayElement(int index)
    {
        return new ElementAccess(Form.ARRAY_ELEMENT, index, Optional.empty());
    }

    /**
     * Returns access to the first elements of each array.
     *
     * @param index index of the last element, starting at 1
     */
    public static ElementAccess arrayPrefix(int index)
    {
        return new ElementAccess(Form.ARRAY_PREFIX, index, Optional.empty());
    }

    /**
     * Returns access to the value of one key in each map.
     *
     * @param key Trino's native value of the key, which is neither null nor NaN
     */
    public static ElementAccess mapValue(Type keyType, Object key)
    {
        return new ElementAccess(Form.MAP_VALUE, 0, Optional.of(InitialValue.of(keyType, key)));
    }

    /**
     * Returns access to the entry of one key in each map, as a map.
     *
     * @param key Trino's native value of the key, which is neither null nor NaN
     */
    public static ElementAccess mapEntry(Type keyType, Object key)
    {
        return new ElementAccess(Form.MAP_ENTRY, 0, Optional.of(InitialValue.of(keyType, key)));
    }

    /**
     * Returns a name for what the scan returns, as an expression of SQL.
     *
     * @param container name of the column of the arrays or maps
     * @param type type of the arrays or maps
     */
    public String name(String container, Type type)
    {
        return switch (form) {
            case CARDINALITY -> "cardinality(%s)".formatted(container);
            case ARRAY_ELEMENT -> "element_at(%s, %s)".formatted(container, index);
            case ARRAY_PREFIX -> "%s[%s]".formatted(container, index);
            case MAP_VALUE -> "element_at(%s, %s)".formatted(container, keyName((MapType) type));
            case MAP_ENTRY -> "%s[%s]".formatted(container, keyName((MapType) type));
        };
    }

    private String keyName(MapType type)
    {
        Type keyType = type.getKeyType();
        String text = String.valueOf(keyType.getObjectValue(key.orElseThrow().toBlock(keyType), 0));
        String shortened = text.codePointCount(0, text.length()) <= MAX_KEY_LENGTH ? text : text.substring(0, text.offsetByCodePoints(0, MAX_KEY_LENGTH)) + "...";
        return keyType instanceof VarcharType || keyType instanceof CharType ? "'%s'".formatted(shortened.replace("'", "''")) : shortened;
    }

    /**
     * Returns the type of what the scan returns.
     *
     * @param type type of the arrays or maps
     */
    public Type resultType(Type type)
    {
        return switch (form) {
            case CARDINALITY -> BIGINT;
            case ARRAY_ELEMENT -> ((ArrayType) type).getElementType();
            case MAP_VALUE -> ((MapType) type).getValueType();
            case ARRAY_PREFIX, MAP_ENTRY -> type;
        };
    }
}
