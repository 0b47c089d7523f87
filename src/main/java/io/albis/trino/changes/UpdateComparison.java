package io.albis.trino.changes;

import com.google.common.io.Closer;
import io.albis.format.delete.DeletedPositions;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.type.Type;
import io.trino.spi.type.TypeOperators;
import jakarta.annotation.Nullable;
import org.roaringbitmap.RoaringBitmap;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.trino.error.AlbisErrorCode.ALBIS_BAD_DATA;
import static io.trino.spi.type.BigintType.BIGINT;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * Finds the rows that were updated in place. An update in place writes the updated columns of all rows of a row group,
 * and nothing says which of the values are new. So this compares the values before and after it.
 */
final class UpdateComparison
        implements Closeable
{
    private final Rows before;
    private final Rows after;
    private final List<ValueComparison> comparisons;
    private final RoaringBitmap updated = new RoaringBitmap();

    /**
     * @param before opens the rewritten columns of all rows before the update, and the positions of the rows
     * @param after opens the same columns after the update
     * @param types types of the rewritten columns
     */
    UpdateComparison(Supplier<ConnectorPageSource> before, Supplier<ConnectorPageSource> after, List<Type> types, TypeOperators typeOperators)
    {
        this.before = new Rows(before);
        this.after = new Rows(after);
        this.comparisons = types.stream()
                .map(type -> ValueComparison.of(type, typeOperators))
                .collect(toImmutableList());
    }

    /**
     * Compares the next rows.
     *
     * @return whether all rows were compared
     */
    boolean advance()
    {
        before.load();
        after.load();
        if (before.count() == 0 || after.count() == 0) {
            if ((before.isFinished() && after.count() > 0) || (after.isFinished() && before.count() > 0)) {
                throw differentRows();
            }
            return before.isFinished() && after.isFinished();
        }
        compare(Math.min(before.count(), after.count()));
        return false;
    }

    private void compare(int count)
    {
        boolean[] changed = new boolean[count];
        for (int channel = 0; channel < comparisons.size(); channel++) {
            Block old = before.page.getBlock(channel);
            Block now = after.page.getBlock(channel);
            ValueComparison comparison = comparisons.get(channel);
            for (int row = 0; row < count; row++) {
                changed[row] |= !comparison.isSame(old, before.offset + row, now, after.offset + row);
            }
        }
        Block positions = before.page.getBlock(comparisons.size());
        Block same = after.page.getBlock(comparisons.size());
        for (int row = 0; row < count; row++) {
            long position = BIGINT.getLong(positions, before.offset + row);
            if (position != BIGINT.getLong(same, after.offset + row)) {
                throw differentRows();
            }
            if (changed[row]) {
                updated.add(toIntExact(position));
            }
        }
        before.offset += count;
        after.offset += count;
    }

    private static TrinoException differentRows()
    {
        return new TrinoException(ALBIS_BAD_DATA, "Damaged Albis table: the column groups of a row group have different segments");
    }

    /**
     * Returns a future that is done if {@link #advance} can make progress.
     */
    CompletableFuture<?> isBlocked()
    {
        return (before.count() == 0 && !before.isFinished() ? before : after).isBlocked();
    }

    /**
     * Returns the positions of the rows with other values, some of which may be deleted.
     */
    DeletedPositions positions()
    {
        return DeletedPositions.of(updated);
    }

    @Override
    public void close()
            throws IOException
    {
        try (Closer closer = Closer.create()) {
            closer.register(before);
            closer.register(after);
        }
    }

    /**
     * The next rows of a source.
     */
    private static final class Rows
            implements Closeable
    {
        private final Supplier<ConnectorPageSource> opener;
        // null until the first rows are read
        @Nullable
        private ConnectorPageSource source;
        private Page page = new Page(0);
        private int offset;

        private Rows(Supplier<ConnectorPageSource> opener)
        {
            this.opener = requireNonNull(opener, "opener is null");
        }

        /**
         * Reads the next page if all rows of the last one were compared.
         */
        private void load()
        {
            if (count() > 0) {
                return;
            }
            if (source == null) {
                source = opener.get();
            }
            SourcePage next = source.getNextSourcePage();
            page = next == null ? new Page(0) : next.getPage();
            offset = 0;
        }

        private int count()
        {
            return page.getPositionCount() - offset;
        }

        private boolean isFinished()
        {
            return count() == 0 && source != null && source.isFinished();
        }

        private CompletableFuture<?> isBlocked()
        {
            return count() > 0 || source == null ? ConnectorPageSource.NOT_BLOCKED : source.isBlocked();
        }

        @Override
        public void close()
                throws IOException
        {
            if (source != null) {
                source.close();
            }
        }
    }
}
