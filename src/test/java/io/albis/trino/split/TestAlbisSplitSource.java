package io.albis.trino.split;

import com.google.common.collect.ImmutableList;
import io.albis.format.metadata.ColumnGroupInstance;
import io.albis.format.metadata.RowGroup;
import io.albis.format.schema.AlbisColumn;
import io.albis.table.version.ManifestSelection;
import io.albis.table.version.RowGroupPieces;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.UUID;
import java.util.function.IntUnaryOperator;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.trino.spi.connector.DynamicFilterSnapshot.EMPTY;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pieces of a scan that are read for each batch of splits.
 */
final class TestAlbisSplitSource
{
    private static final int PIECES = 5;

    /**
     * The splits of a piece do not wait for the next piece.
     */
    @Test
    void testPieces()
    {
        Pieces pieces = new Pieces(_ -> 1);
        AlbisSplitSource source = splitSource(pieces);
        for (int piece = 1; piece <= PIECES; piece++) {
            assertThat(source.isFinished()).isFalse();
            assertThat(source.getNextBatch(1000, EMPTY).join()).hasSize(1);
            assertThat(pieces.read).isEqualTo(piece);
        }
        assertThat(source.isFinished()).isTrue();
    }

    @Test
    void testLargePieces()
    {
        Pieces pieces = new Pieces(_ -> 30);
        AlbisSplitSource source = splitSource(pieces);
        assertThat(source.getNextBatch(20, EMPTY).join()).hasSize(20);
        assertThat(source.getNextBatch(20, EMPTY).join()).hasSize(10);
        assertThat(pieces.read).isEqualTo(1);
        assertThat(source.getNextBatch(20, EMPTY).join()).hasSize(20);
        assertThat(pieces.read).isEqualTo(2);
    }

    /**
     * Pieces without row groups, of which the engine would get no splits, are read at once.
     */
    @Test
    void testEmptyPieces()
    {
        Pieces pieces = new Pieces(piece -> piece == PIECES ? 1 : 0);
        AlbisSplitSource source = splitSource(pieces);
        assertThat(source.getNextBatch(1000, EMPTY).join()).hasSize(1);
        assertThat(pieces.read).isEqualTo(PIECES);
        assertThat(source.isFinished()).isTrue();
    }

    /**
     * The engine closes the source as soon as it has enough rows, also while a batch is made.
     */
    @Test
    void testClose()
    {
        Pieces pieces = new Pieces(_ -> 0);
        AlbisSplitSource source = splitSource(pieces);
        pieces.whenRead = source::close;
        assertThat(source.getNextBatch(1000, EMPTY).join()).isEmpty();
        assertThat(pieces.read).isEqualTo(1);
        assertThat(source.isFinished()).isTrue();
    }

    private static AlbisSplitSource splitSource(RowGroupPieces pieces)
    {
        return new AlbisSplitSource(() -> pieces, TupleDomain.all(), true, _ -> Long.MAX_VALUE, Optional.empty(), Optional.empty(), 0, directExecutor());
    }

    private static final class Pieces
            implements RowGroupPieces
    {
        private final IntUnaryOperator rowGroups;
        private Runnable whenRead = () -> {};
        private int read;

        /**
         * @param rowGroups returns the number of row groups of a piece, of which the first one has the number 1
         */
        private Pieces(IntUnaryOperator rowGroups)
        {
            this.rowGroups = rowGroups;
        }

        @Override
        public boolean isFinished()
        {
            return read == PIECES;
        }

        @Override
        public ManifestSelection next(TupleDomain<AlbisColumn> predicate)
        {
            read++;
            whenRead.run();
            ImmutableList.Builder<RowGroup> found = ImmutableList.builder();
            for (int i = rowGroups.applyAsInt(read); i > 0; i--) {
                found.add(new RowGroup(UUID.randomUUID(), 10, ImmutableList.of(new ColumnGroupInstance(UUID.randomUUID(), ImmutableList.of(1), 100, 100)), ImmutableList.of()));
            }
            return new ManifestSelection(found.build(), 1, 0, 0);
        }

        @Override
        public ManifestSelection skip()
        {
            throw new UnsupportedOperationException();
        }
    }
}
