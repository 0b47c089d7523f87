package io.albis.format.layout.block.node;

import io.trino.spi.block.Block;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.Type;

import static java.util.Objects.requireNonNull;

/**
 * Decodes a node that is not read. All its values are null.
 */
final class MissingNodeDecoder
        extends NodeDecoder
{
    private final Type type;

    MissingNodeDecoder(Type type)
    {
        this.type = requireNonNull(type, "type is null");
    }

    @Override
    public Block decode(NodeRows rows)
    {
        return RunLengthEncodedBlock.create(type, null, rows.count());
    }

    @Override
    public long retainedSize()
    {
        return 0;
    }
}
