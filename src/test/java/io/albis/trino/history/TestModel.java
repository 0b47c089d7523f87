package io.albis.trino.history;

import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Write.DeleteShifted;
import io.albis.trino.history.Write.Merge;
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
}
