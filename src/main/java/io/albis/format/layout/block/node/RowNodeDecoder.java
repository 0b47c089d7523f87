package io.albis.format.layout.block.node;

import com.google.common.collect.ImmutableList;
import io.trino.spi.block.Block;
import io.trino.spi.block.RowBlock;
import io.trino.spi.block.RunLengthEncodedBlock;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Decodes rows. The block of a field is used as it is.
 */
final class RowNodeDecoder
        extends NodeDecoder
{
    private final Type type;
    private final ValueNodeDecoder own;
    private final List<NodeDecoder> fields;

    RowNodeDecoder(Type type, ValueNodeDecoder own, List<NodeDecoder> fields)
    {
        this.type = requireNonNull(type, "type is null");
        this.own = requireNonNull(own, "own is null");
        this.fields = ImmutableList.copyOf(fields);
    }

    @Override
    public Block decode(NodeRows rows)
            throws IOException
    {
        Block validity = own.decode(rows);
        if (isAllNull(validity)) {
            return RunLengthEncodedBlock.create(type, null, rows.count());
        }
        Block[] blocks = new Block[fields.size()];
        for (int field = 0; field < blocks.length; field++) {
            blocks[field] = fields.get(field).decode(rows);
        }
        // fails if the field of a null is not null
        return RowBlock.fromNotNullSuppressedFieldBlocks(rows.count(), validity(validity), blocks);
    }

    @Override
    public long retainedSize()
    {
        long size = own.retainedSize();
        for (NodeDecoder field : fields) {
            size += field.retainedSize();
        }
        return size;
    }
}
