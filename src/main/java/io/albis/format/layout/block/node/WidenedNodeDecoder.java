package io.albis.format.layout.block.node;

import io.albis.format.type.Widening;
import io.trino.spi.block.Block;

import java.io.IOException;

import static java.util.Objects.requireNonNull;

/**
 * Decodes the values of a scalar type that are stored with a narrower type.
 */
final class WidenedNodeDecoder
        extends NodeDecoder
{
    private final ValueNodeDecoder stored;
    private final Widening widening;

    WidenedNodeDecoder(NodeSource source, Widening widening)
    {
        this.stored = new ValueNodeDecoder(widening.from(), source);
        this.widening = requireNonNull(widening, "widening is null");
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        return widening.widen(stored.decode(rows));
    }

    @Override
    public long retainedSize()
    {
        return stored.retainedSize();
    }
}
