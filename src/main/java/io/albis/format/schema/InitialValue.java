package io.albis.format.schema;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.type.StorageType;
import io.albis.format.type.StoredValues;
import io.albis.format.type.Widening;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.util.Base64;

import static com.fasterxml.jackson.annotation.JsonCreator.Mode.DELEGATING;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Objects.requireNonNull;

/**
 * The value that a column has in all rows of a row group that does not store the column. It is never null.
 *
 * @param bytes the value as it is stored without an encoding; immutable
 */
public record InitialValue(Slice bytes)
{
    public InitialValue
    {
        requireNonNull(bytes, "bytes is null");
    }

    /**
     * Decodes a value from Base64.
     *
     * @throws IllegalArgumentException if the text is not valid
     */
    @JsonCreator(mode = DELEGATING)
    public static InitialValue fromText(String text)
    {
        return new InitialValue(Slices.wrappedBuffer(Base64.getDecoder().decode(text)));
    }

    /**
     * Returns the initial value for Trino's native value, which is not null.
     */
    public static InitialValue of(Type type, Object value)
    {
        ValueBlock block = writeNativeValue(type, requireNonNull(value, "value is null"));
        return new InitialValue(Slices.wrappedBuffer(StoredValues.toBytes(block, 0)));
    }

    /**
     * Returns a block with the value as its only position.
     *
     * @throws IllegalArgumentException if the bytes are not valid for the type
     */
    public ValueBlock toBlock(Type type)
    {
        return StoredValues.toBlock(StorageType.of(type), bytes.getBytes());
    }

    /**
     * Returns Trino's native value.
     */
    public Object toNativeValue(Type type)
    {
        return readNativeValue(type, toBlock(type), 0);
    }

    /**
     * Returns the same value of a wider type.
     */
    public InitialValue widen(Widening widening)
    {
        return new InitialValue(Slices.wrappedBuffer(widening.widen(bytes.getBytes())));
    }

    /**
     * Returns the bytes in Base64.
     */
    @JsonValue
    public String text()
    {
        return Base64.getEncoder().encodeToString(bytes.getBytes());
    }

    @Override
    public String toString()
    {
        return text();
    }
}
