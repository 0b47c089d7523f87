package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.DeleteShifted;
import io.albis.trino.history.Write.Merge;
import io.albis.trino.history.Write.Move;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

final class TestModel
{
    private static final Row R1 = new Row(1, 1, 1, 10);
    private static final Row R2 = new Row(2, 2, 1, 20);
    private static final Multiset<Row> ROWS = ImmutableMultiset.of(R1, R1, R2);

    @Test
    void testMerge()
    {
        Merge merge = new Merge("t", List.of(new Row(1, 7, 5, 1), new Row(2, 8, 5, 3), new Row(3, 9, 5, 3)));
        assertThat(Model.apply(merge, ROWS, ROWS)).hasValue(ImmutableMultiset.of(new Row(1, 1, 5, 11), new Row(1, 1, 5, 11), new Row(3, 9, 5, 3)));
        // A row that it changes is gone
        assertThat(Model.apply(merge, ROWS, ImmutableMultiset.of(R1, R2))).isEmpty();
    }

    @Test
    void testDeleteShifted()
    {
        assertThat(Model.apply(new DeleteShifted("t", new IdRange(1, 1), 1), ROWS, ROWS)).hasValue(ImmutableMultiset.of(R1, R1));
        assertThat(Model.apply(new DeleteShifted("t", new IdRange(2, 2), 1), ROWS, ROWS)).hasValue(ROWS);
    }

    @Test
    void testMove()
    {
        Move move = new Move("t", new IdRange(2, 5), 9, 10, 5);
        Multiset<Row> moved = ImmutableMultiset.of(R1, R1, new Row(1, 2, 5, 20));
        assertThat(Model.apply(move, ROWS, ROWS)).hasValue(moved);
        // A row that it changes is elsewhere
        assertThat(Model.apply(move, ROWS, moved)).isEmpty();
    }

    @Test
    void testDelete()
    {
        Delete delete = new Delete("t", new IdRange(1, 1), 5);
        assertThat(Model.apply(delete, ROWS, ROWS)).hasValue(ImmutableMultiset.of(R2));
        // Another statement has deleted a row, and yet another one has added a row with the same id
        Row added = new Row(1, 3, 2, 10);
        assertThat(Model.apply(delete, ROWS, ImmutableMultiset.of(R1, R2, added))).hasValue(ImmutableMultiset.of(R2, added));
        // Another statement has updated the rows
        Row updated = new Row(1, 1, 2, 15);
        assertThat(Model.apply(delete, ROWS, ImmutableMultiset.of(updated, updated, R2))).hasValue(ImmutableMultiset.of(R2));
        assertThat(Model.apply(delete, ROWS, ImmutableMultiset.of(new Row(1, 1, 2, 11), R1, R2))).isEmpty();
        assertThat(Model.apply(delete, ROWS, ImmutableMultiset.of(new Row(2, 1, 2, 10), R1, R2))).isEmpty();
    }
}
