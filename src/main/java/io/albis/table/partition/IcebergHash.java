package io.albis.table.partition;

import com.google.common.hash.HashFunction;
import io.airlift.slice.Slice;
import io.albis.format.type.ScalarType;
import io.trino.spi.block.Block;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.math.BigInteger;

import static com.google.common.hash.Hashing.murmur3_32_fixed;
import static java.lang.Math.floorDiv;

/**
 * The hash of the function {@code bucket}, which the specification of Iceberg defines.
 */
final class IcebergHash
{
    private static final HashFunction MURMUR = murmur3_32_fixed();
    private static final long PICOS_PER_MICRO = 1_000_000;

    private IcebergHash() {}

    interface Hash
    {
        int get(Block block, int position);
    }

    static Hash of(Type type)
    {
        ScalarType scalar = ScalarType.of(type);
        return switch (scalar) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DATE -> (block, position) -> hash(type.getLong(block, position));
            case TIME -> (block, position) -> hash(floorDiv(type.getLong(block, position), PICOS_PER_MICRO));
            case TIMESTAMP, TIMESTAMP_WITH_TIME_ZONE -> {
                EpochTime.Source micros = EpochTime.micros(type);
                yield (block, position) -> hash(micros.get(block, position));
            }
            case DECIMAL -> decimal((DecimalType) type);
            // The engine represents char values without padding
            case CHAR, VARCHAR, VARBINARY, UUID, IPADDRESS -> (block, position) -> hash(type.getSlice(block, position));
            case BOOLEAN, REAL, DOUBLE, TIME_WITH_TIME_ZONE, JSON -> throw new IllegalArgumentException("values of type %s have no hash".formatted(type));
        };
    }

    private static Hash decimal(DecimalType type)
    {
        if (type.isShort()) {
            return (block, position) -> hash(BigInteger.valueOf(type.getLong(block, position)));
        }
        return (block, position) -> hash(((Int128) type.getObject(block, position)).toBigInteger());
    }

    static int hash(long value)
    {
        return MURMUR.hashLong(value).asInt();
    }

    private static int hash(BigInteger unscaled)
    {
        return MURMUR.hashBytes(unscaled.toByteArray()).asInt();
    }

    static int hash(Slice value)
    {
        return MURMUR.hashBytes(value.byteArray(), value.byteArrayOffset(), value.length()).asInt();
    }
}
