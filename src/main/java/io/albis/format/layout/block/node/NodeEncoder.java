package io.albis.format.layout.block.node;

import io.albis.format.layout.block.ColumnEncoder;
import io.albis.format.run.ChunkOutput;
import io.albis.format.run.NodeChunks;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedSizes;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.StorageType;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * Collects the values of one node of a nested column, and of the nodes below it, for a segment. The values of a node
 * are divided into groups: the root has one group, and the elements of each run of an array or a map are a group.
 */
abstract sealed class NodeEncoder
        permits ArrayNodeEncoder,
                RowNodeEncoder,
                ValueNodeEncoder
{
    /**
     * Creates the encoder of a node and of the nodes below it.
     *
     * @param encoders creates the encoder of the values of a scalar type
     */
    static NodeEncoder create(Type type, Function<Type, ColumnEncoder> encoders)
    {
        Optional<NestedKind> kind = NestedKind.of(type);
        if (kind.isEmpty()) {
            return values(type, encoders);
        }
        ValueNodeEncoder own = values(kind.get().ownType(), encoders);
        List<NodeEncoder> children = NestedTypes.children(type).stream()
                .map(child -> create(child, encoders))
                .collect(toImmutableList());
        return kind.get().isRepeated() ? new ArrayNodeEncoder(own, children) : new RowNodeEncoder(own, children);
    }

    private static ValueNodeEncoder values(Type type, Function<Type, ColumnEncoder> encoders)
    {
        return new ValueNodeEncoder(encoders.apply(type), NestedSizes.memorySize(StorageType.of(type)));
    }

    /**
     * Starts a group. The values that are appended next belong to it.
     */
    abstract void startGroup();

    abstract void append(ValueBlock block, int offset, int count);

    /**
     * Writes the values of all groups, and starts a new segment.
     *
     * @param nodes the nodes in pre-order, to which this method adds this node and those below it
     */
    abstract void finish(ChunkOutput output, List<NodeChunks> nodes)
            throws IOException;

    /**
     * Returns the size in memory of the appended values.
     */
    abstract long size();

    abstract long retainedSize();

    /**
     * Returns the validity of a part of a block, as a block of its own needs it.
     */
    static Optional<long[]> validity(ValueBlock block, int offset, int count)
    {
        return block.getValidityBitmap().map(bitmap -> {
            long[] words = new long[Bitmap.wordsForBits(count)];
            Bitmap.copyBits(bitmap.getRawWords(), bitmap.getRawBitOffset() + offset, words, 0, count);
            return words;
        });
    }
}
