package io.albis.format.layout.row;

import io.airlift.slice.Slices;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;
import io.trino.spi.type.Type;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

import static io.albis.format.type.StorageType.VARIABLE;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.IntegerType.INTEGER;
import static io.trino.spi.type.TinyintType.TINYINT;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarbinaryType.VARBINARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests the examples of the Albis paper and its slides, where {@code char} is a tinyint and {@code float[]} a
 * varbinary.
 */
final class TestRowStructure
{
    @Test
    void testSlides()
    {
        // {int, double, byte[], char, float[]}: 4 of size, 1 of bitmap, and 4 + 8 + 8 + 1 + 8 of fixed area
        RowStructure structure = structure(INTEGER, DOUBLE, VARBINARY, TINYINT, VARBINARY);
        assertThat(structure.fixedSize()).isEqualTo(34);

        byte[] row = encode(
                structure,
                writeNativeValue(INTEGER, 1L),
                writeNativeValue(DOUBLE, 1.0),
                writeNativeValue(VARBINARY, Slices.utf8Slice("xyz")),
                writeNativeValue(TINYINT, 65L),
                writeNativeValue(VARBINARY, null));
        assertThat(HexFormat.of().formatHex(row)).isEqualTo("" +
                "25000000" + // size: 37
                "0f" + // all but the fifth column have a value
                "01000000" +
                "000000000000f03f" +
                "2200000003000000" + // at 34, 3 bytes
                "41" +
                "0000000000000000" +
                "78797a");
    }

    @Test
    void testPaper()
    {
        // Figure 4, <int, char, byte[], double, byte[]>: one byte of bitmap and 29 of fixed area
        RowStructure structure = structure(INTEGER, TINYINT, VARBINARY, DOUBLE, VARBINARY);
        assertThat(structure.bitmapSize()).isEqualTo(1);
        assertThat(structure.fixedSize()).isEqualTo(RowStructure.SIZE_BYTES + structure.bitmapSize() + 29);
        // section 3.1: 23 columns, as store_sales has, take 3 bytes
        assertThat(structure(Collections.nCopies(23, INTEGER).toArray(Type[]::new)).bitmapSize()).isEqualTo(3);
    }

    @Test
    void testFixedWidthHasNoSize()
    {
        RowStructure structure = structure(INTEGER, TINYINT);
        assertThat(structure.isVariable()).isFalse();
        assertThat(structure.fixedSize()).isEqualTo(1 + 4 + 1);
        byte[] row = encode(structure, writeNativeValue(INTEGER, null), writeNativeValue(TINYINT, -1L));
        assertThat(HexFormat.of().formatHex(row)).isEqualTo("0200000000ff");
    }

    @Test
    void testDamagedRowsAreRefused()
    {
        RowStructure structure = structure(INTEGER, VARBINARY);
        byte[] row = encode(structure, writeNativeValue(INTEGER, 7L), writeNativeValue(VARBINARY, Slices.utf8Slice("abcdef")));
        assertThatThrownBy(() -> new RowDecoder(structure, row, 0, row.length - 1, 1)).hasMessageContaining("row 0 has an invalid size of 23 bytes");
        assertThatThrownBy(() -> new RowDecoder(structure, row, 0, row.length, 2)).hasMessageContaining("row 1 begins 0 bytes before the end");
        byte[] twice = Arrays.copyOf(row, 2 * row.length);
        assertThatThrownBy(() -> new RowDecoder(structure, twice, 0, twice.length, 1)).hasMessageContaining("23 unexpected bytes after 1 rows");

        // all values of each byte of the slot are either within the row or rejected
        int slot = structure.slotOffset(structure.columns().indexOf(VARIABLE));
        for (int i = slot; i < slot + 8; i++) {
            for (int value = 0; value < 256; value++) {
                byte[] damaged = row.clone();
                damaged[i] = (byte) value;
                RowDecoder decoder = new RowDecoder(structure, damaged, 0, damaged.length, 1);
                try {
                    assertThat(decoder.decode(1, null, 1, true).getPositionCount()).isEqualTo(1);
                }
                catch (IllegalArgumentException e) {
                    assertThat(e).hasMessageMatching("a value of .* bytes at offset .* (exceeds its row of 23 bytes|begins before the variable area of its row, which is at 17)");
                }
            }
        }
    }

    /**
     * A value is never read from the size, the bitmap, or the slots of its row.
     */
    @Test
    void testValuesBeforeTheVariableAreaAreRefused()
    {
        RowStructure structure = structure(INTEGER, VARBINARY);
        byte[] row = encode(structure, writeNativeValue(INTEGER, 7L), writeNativeValue(VARBINARY, Slices.utf8Slice("abcdef")));
        int slot = structure.slotOffset(1);
        for (int offset = 0; offset < row.length; offset++) {
            byte[] moved = row.clone();
            moved[slot] = (byte) offset;
            // one byte
            moved[slot + 4] = 1;
            RowDecoder decoder = new RowDecoder(structure, moved, 0, moved.length, 1);
            if (offset < structure.fixedSize()) {
                assertThatThrownBy(() -> decoder.decode(1, null, 1, true)).hasMessage("a value of 1 bytes at offset %s begins before the variable area of its row, which is at 17", offset);
            }
            else {
                VariableWidthBlock block = (VariableWidthBlock) decoder.decode(1, null, 1, true);
                assertThat(block.getSlice(0).toStringUtf8()).isEqualTo("abcdef".substring(offset - 17, offset - 16));
            }
        }
    }

    /**
     * The offset of an empty value is where its bytes would begin. A reader accepts any other offset in the row.
     */
    @Test
    void testOffsetsOfEmptyValues()
    {
        RowStructure structure = structure(VARBINARY, VARBINARY);
        byte[] row = encode(structure, writeNativeValue(VARBINARY, Slices.utf8Slice("ab")), writeNativeValue(VARBINARY, Slices.EMPTY_SLICE));
        int slot = structure.slotOffset(1);
        assertThat(HexFormat.of().formatHex(row, slot, slot + 8)).isEqualTo("1700000000000000");
        for (int offset = 0; offset <= row.length; offset++) {
            row[slot] = (byte) offset;
            VariableWidthBlock block = (VariableWidthBlock) new RowDecoder(structure, row, 0, row.length, 1).decode(1, null, 1, true);
            assertThat(block.getSlice(0)).isEqualTo(Slices.EMPTY_SLICE);
        }
        row[slot] = (byte) (row.length + 1);
        assertThatThrownBy(() -> new RowDecoder(structure, row, 0, row.length, 1).decode(1, null, 1, true)).hasMessageContaining("exceeds its row of 23 bytes");
    }

    private static RowStructure structure(Type... types)
    {
        List<AlbisColumn> columns = IntStream.range(0, types.length)
                .mapToObj(i -> AlbisColumn.make("column_" + i, types[i]))
                .toList();
        return new RowStructure(AlbisColumnGroup.make(columns).columns().stream()
                .map(AlbisColumn::storageType)
                .toList());
    }

    private static byte[] encode(RowStructure structure, ValueBlock... blocks)
    {
        RowEncoder encoder = new RowEncoder(structure);
        int[] sizes = new int[1];
        encoder.sizes(blocks, 1, sizes);
        byte[] row = new byte[sizes[0]];
        assertThat(encoder.encode(blocks, 0, 1, sizes, row, 0)).isEqualTo(row.length);
        return row;
    }
}
