package io.albis.format;

import io.albis.format.delete.DeletedPositions;
import io.albis.format.delete.DeletesWriter;
import io.albis.format.metadata.DeletedRows;
import io.albis.format.metadata.RowGroup;
import io.albis.format.run.Compression;
import io.albis.format.run.Run;
import io.albis.format.scan.AlbisBatch;
import io.albis.format.scan.ReaderOptions;
import io.albis.format.scan.ReaderResources;
import io.albis.format.scan.RowGroupReader;
import io.albis.format.scan.RowGroupScan;
import io.albis.format.schema.AlbisColumn;
import io.albis.format.schema.AlbisColumnGroup;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.memory.MemoryFileSystemFactory;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;

import static io.trino.spi.security.ConnectorIdentity.ofUser;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * The rows between deleted rows, and most of the rows of a page, have the same values as when all rows are read.
 */
final class TestDenseSelections
        extends BaseSelectionTest
{
    private final TrinoFileSystem fileSystem = new MemoryFileSystemFactory().create(ofUser("test"));

    TestDenseSelections()
    {
        super(3);
    }

    @Override
    protected void test(String description, Random random, Type type)
            throws IOException
    {
        double nulls = random.nextBoolean() ? 0 : random.nextDouble();
        Block written = randomBlock(random, type, nulls);
        AlbisColumn column = AlbisColumn.make(1, "value", type);
        AlbisSchema schema = AlbisSchema.makeSchema(AlbisColumnGroup.make(randomLayout(random, type), column));
        Compression compression = Compression.values()[random.nextInt(Compression.values().length)];
        RowGroup rowGroup = write(fileSystem, random, schema, compression, written);
        for (int selection = 0; selection < 3; selection++) {
            BitSet deleted = randomGaps(random);
            check(description, random, column, written, delete(rowGroup, deleted, random), live(deleted));
        }
        fileSystem.deleteDirectory(FOLDER);
    }

    /**
     * Returns single rows or ranges of rows, which are mostly a small part of all rows.
     */
    private static BitSet randomGaps(Random random)
    {
        double share = random.nextDouble() * (random.nextInt(4) == 0 ? 0.6 : 0.15);
        int maxLength = 1 + random.nextInt(random.nextBoolean() ? 3 : 200);
        BitSet deleted = new BitSet(ROWS);
        for (int row = random.nextInt(3); row < ROWS; row++) {
            if (random.nextDouble() < 2 * share / (maxLength + 1)) {
                int length = 1 + random.nextInt(maxLength);
                deleted.set(row, Math.min(row + length, ROWS));
                row += length;
            }
        }
        if (random.nextBoolean()) {
            // a run without deleted rows, or one of which only a part in the middle is left
            int first = random.nextInt(2) * Run.MAX_ROWS;
            deleted.clear(first, first + Run.MAX_ROWS);
            if (random.nextBoolean()) {
                deleted.set(first, first + random.nextInt(4000));
                deleted.set(first + Run.MAX_ROWS - random.nextInt(4000), first + Run.MAX_ROWS);
            }
        }
        return deleted;
    }

    private static int[] live(BitSet deleted)
    {
        return IntStream.range(0, ROWS).filter(row -> !deleted.get(row)).toArray();
    }

    private RowGroup delete(RowGroup rowGroup, BitSet deleted, Random random)
            throws IOException
    {
        if (deleted.isEmpty()) {
            return rowGroup;
        }
        DeletesWriter writer = new DeletesWriter(fileSystem, FOLDER, new UUID(random.nextLong(), random.nextLong()));
        DeletedRows deletedRows = writer.add(DeletedPositions.of(deleted.stream().toArray()));
        writer.close();
        return rowGroup.withDeletedRows(deletedRows);
    }

    private void check(String description, Random random, AlbisColumn column, Block written, RowGroup rowGroup, int[] live)
            throws IOException
    {
        BlockEquality equality = new BlockEquality(_ -> true);
        RowGroupScan scan = RowGroupScan.of(List.of(column), TupleDomain.all());
        int next = 0;
        try (RowGroupReader reader = RowGroupReader.open(fileSystem, FOLDER, rowGroup, scan, ReaderOptions.DEFAULTS, ReaderResources.alone(FOLDER, 1))) {
            for (AlbisBatch batch = reader.next(); batch != null; batch = reader.next()) {
                int count = batch.positionCount();
                int[] positions = randomPositions(random, count);
                if (positions.length < count || positions[0] > 0) {
                    batch.selectPositions(positions, 0, positions.length);
                }
                Block block = batch.block(0);
                assertThat(block.getPositionCount()).as(description).isEqualTo(positions.length);
                for (int position = 0; position < positions.length; position++) {
                    int row = live[next + positions[position]];
                    if (!equality.isEqual(column.type(), block, position, written, row)) {
                        fail("%s: row %s has another value".formatted(description, row));
                    }
                }
                next += count;
            }
        }
        assertThat(next).as(description).isEqualTo(live.length);
    }

    /**
     * Returns all positions, or most of them, mostly in ascending order.
     */
    private static int[] randomPositions(Random random, int count)
    {
        if (random.nextInt(3) > 0) {
            return IntStream.range(0, count).toArray();
        }
        double share = random.nextDouble() * 0.1;
        int[] positions = IntStream.range(0, count).filter(_ -> random.nextDouble() > share).toArray();
        if (random.nextInt(4) == 0 && positions.length > 1) {
            int last = positions[positions.length - 1];
            positions[positions.length - 1] = positions[0];
            positions[0] = last;
        }
        return positions;
    }
}
