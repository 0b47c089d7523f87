package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.albis.format.filter.FilterValues;
import io.albis.format.schema.ElementAccess;
import io.trino.spi.block.Block;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.predicate.Domain;
import io.trino.spi.type.MapType;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Decodes at most one element of each array, or the value of at most one key of each map. The other elements or values
 * are not read.
 */
final class ElementDecoder
        extends NodeDecoder
{
    // Up to so many values are decoded together in the time of one that is decoded alone
    private static final int DENSE = 8;

    private final Type type;
    private final ElementAccess access;
    private final RunLengths lengths;
    private final ElementFinder finder;
    // the elements, or the values of maps
    private final NodeDecoder values;

    /**
     * @param type type of the arrays or maps
     * @param own decodes their lengths
     * @param children decode the elements, or the keys and the values
     */
    ElementDecoder(Type type, ElementAccess access, ValueNodeDecoder own, List<NodeDecoder> children)
    {
        this.type = requireNonNull(type, "type is null");
        this.access = requireNonNull(access, "access is null");
        this.lengths = new RunLengths(own);
        this.finder = finder(type, access, children);
        this.values = ImmutableList.copyOf(children).getLast();
    }

    private static ElementFinder finder(Type type, ElementAccess access, List<NodeDecoder> children)
    {
        if (access.key().isEmpty()) {
            return new ElementFinder.ByIndex(access.index());
        }
        Type keyType = ((MapType) type).getKeyType();
        Domain key = Domain.singleValue(keyType, access.key().get().toNativeValue(keyType));
        return new ElementFinder.ByKey(children.getFirst(), FilterValues.of(key).newFilter());
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        ElementRanges ranges = ElementRanges.find(rows, lengths);
        int[] indexes = finder.find(ranges);
        Block elements = decode(ranges, indexes);
        return switch (access.form()) {
            case ARRAY_ELEMENT, MAP_VALUE -> ElementBlocks.values(access.resultType(type), indexes, elements);
            case ARRAY_PREFIX -> ElementBlocks.prefixes(access.index(), ranges, indexes, elements);
            case MAP_ENTRY -> ElementBlocks.entries((MapType) type, access.key().orElseThrow().toBlock(((MapType) type).getKeyType()), ranges, indexes, elements);
            case CARDINALITY -> throw new IllegalStateException("a cardinality needs no element");
        };
    }

    /**
     * Decodes at most one element of each row.
     */
    private Block decode(ElementRanges ranges, int[] indexes)
            throws IOException
    {
        int count = 0;
        for (int index : indexes) {
            count += index < 0 ? 0 : 1;
        }
        NodeRows all = ranges.elements();
        if ((long) count * DENSE < all.count()) {
            return values.decode(ranges.select(indexes));
        }
        Block elements = values.decode(all);
        if (count == all.count()) {
            return elements;
        }
        int[] positions = ranges.positions(indexes, count);
        // a dictionary keeps its entries, which other pages share
        return elements instanceof ValueBlock block ? block.copyPositions(positions, 0, count) : elements.getPositions(positions, 0, count);
    }

    @Override
    public long retainedSize()
    {
        return lengths.retainedSize() + finder.retainedSize() + values.retainedSize();
    }
}
