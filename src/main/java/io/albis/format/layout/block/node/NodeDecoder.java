package io.albis.format.layout.block.node;

import io.albis.format.schema.ElementAccess;
import io.albis.format.type.NestedKind;
import io.albis.format.type.NestedTypes;
import io.albis.format.type.Widening;
import io.trino.spi.block.Bitmap;
import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Decodes a node of a nested column, and the nodes below it, in one segment. Values that are not requested are not
 * read.
 */
public abstract sealed class NodeDecoder
        permits ArrayNodeDecoder,
                CardinalityDecoder,
                ElementDecoder,
                MissingNodeDecoder,
                RowNodeDecoder,
                ValueNodeDecoder,
                WidenedNodeDecoder
{
    /**
     * Provides the source of each node.
     */
    public interface Sources
    {
        /**
         * Returns the source of a node.
         *
         * @param node number of the node in pre-order, starting at 0
         * @return empty if the node is not read, and all its values are null instead
         */
        Optional<NodeSource> source(int node);

        /**
         * Returns how the values of a scalar node are converted, or empty if they are stored with its type.
         *
         * @param node number of the node in pre-order, starting at 0
         */
        Optional<Widening> widening(int node);
    }

    /**
     * Creates the decoder of a column.
     *
     * @throws IllegalArgumentException if a map is read without its keys
     */
    public static NodeDecoder create(Type type, Sources sources)
    {
        return new Builder(sources).build(type);
    }

    /**
     * Creates the decoder of elements of a column. For the number of elements, only the source of the column itself is
     * used.
     *
     * @param type type of the column, which is an array or a map
     * @throws IllegalArgumentException if a map is read without its keys
     */
    public static NodeDecoder create(Type type, ElementAccess access, Sources sources)
    {
        return new Builder(sources).build(type, access);
    }

    /**
     * Decodes values into a block that does not depend on the source.
     *
     * @throws IllegalArgumentException if the bytes contradict the metadata
     */
    public abstract Block decode(NodeRows rows)
            throws IOException;

    /**
     * Returns the memory in bytes that this decoder and those below it retain between pages.
     */
    public abstract long retainedSize();

    /**
     * Returns the validity words of a block, or empty if no value is null.
     */
    static Optional<long[]> validity(Block own)
    {
        if (!own.mayHaveNull()) {
            return Optional.empty();
        }
        int count = own.getPositionCount();
        long[] words = new long[Bitmap.wordsForBits(count)];
        if (own instanceof ValueBlock values) {
            Bitmap bitmap = values.getValidityBitmap().orElseThrow();
            Bitmap.copyBits(bitmap.getRawWords(), bitmap.getRawBitOffset(), words, 0, count);
            return Optional.of(words);
        }
        for (int position = 0; position < count; position++) {
            if (!own.isNull(position)) {
                Bitmap.set(words, 0, position);
            }
        }
        return Optional.of(words);
    }

    static boolean isAllNull(Block own)
    {
        return own instanceof RunLengthEncodedBlock repeated && repeated.getValue().isNull(0);
    }

    private static final class Builder
    {
        private final Sources sources;
        private int next;

        private Builder(Sources sources)
        {
            this.sources = sources;
        }

        private NodeDecoder build(Type type)
        {
            int node = next;
            Optional<NodeSource> source = sources.source(node);
            next++;
            Optional<NestedKind> kind = NestedKind.of(type);
            List<NodeDecoder> children = new ArrayList<>();
            for (Type child : NestedTypes.children(type)) {
                children.add(build(child));
            }
            if (source.isEmpty()) {
                return new MissingNodeDecoder(type);
            }
            if (kind.isEmpty()) {
                return sources.widening(node)
                        .<NodeDecoder>map(widening -> new WidenedNodeDecoder(source.get(), widening))
                        .orElseGet(() -> new ValueNodeDecoder(type, source.get()));
            }
            checkArgument(kind.get() != NestedKind.MAP || !(children.getFirst() instanceof MissingNodeDecoder), "the keys of a map must be selected: %s", type.getDisplayName());
            ValueNodeDecoder own = own(kind.get(), source.get());
            return switch (kind.get()) {
                case ROW -> new RowNodeDecoder(type, own, children);
                case ARRAY, MAP -> new ArrayNodeDecoder(type, own, children);
            };
        }

        private NodeDecoder build(Type type, ElementAccess access)
        {
            NestedKind kind = NestedKind.of(type).orElseThrow();
            checkArgument(kind.isRepeated(), "type %s has no elements", type.getDisplayName());
            ValueNodeDecoder own = own(kind, sources.source(next).orElseThrow());
            if (access.form() == ElementAccess.Form.CARDINALITY) {
                return new CardinalityDecoder(own);
            }
            next++;
            List<NodeDecoder> children = new ArrayList<>();
            for (Type child : NestedTypes.children(type)) {
                children.add(build(child));
            }
            return new ElementDecoder(type, access, own, children);
        }

        private static ValueNodeDecoder own(NestedKind kind, NodeSource source)
        {
            return new ValueNodeDecoder(kind.ownType(), source);
        }
    }
}
