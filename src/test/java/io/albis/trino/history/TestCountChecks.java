package io.albis.trino.history;

import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.Move;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.Truncate;
import io.albis.trino.history.Write.Update;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checker finds numbers of changed rows that no serial order explains, in histories that are made up.
 */
final class TestCountChecks
{
    private static final Row R1 = new Row(1, 1, 1, 10);
    private static final Row R2 = new Row(2, 2, 1, 20);
    private static final Row R3 = new Row(3, 3, 2, 31);
    private static final Delete FIRST = new Delete("a", new IdRange(1, 1), 1);
    private static final Delete FIRST_TWO = new Delete("a", new IdRange(1, 2), 1);
    private static final Update UPDATE = new Update("a", new IdRange(1, 3), 5);
    private static final Move MOVE = new Move("a", new IdRange(1, 1), 8, 40, 6);

    private final ScriptedHistory history = new ScriptedHistory();

    private void begin(IsolationLevel isolation)
    {
        history.write("create", new Replace("a", isolation, List.of(R1, R2, R3)), R1, R2, R3);
    }

    /**
     * Adds a statement that runs at the same time as all others.
     */
    private String call(Write write, long count)
    {
        return history.call(write, 20, 40, id -> Outcome.done(Optional.of(id), List.of(), OptionalLong.of(count)));
    }

    private void assertPossible(boolean possible)
    {
        List<String> anomalies = history.check();
        if (possible) {
            assertThat(anomalies).isEmpty();
        }
        else {
            assertThat(anomalies).singleElement().asString().startsWith("Wrong number of rows");
        }
    }

    @ParameterizedTest
    @EnumSource
    void testDeletesOfSameRows(IsolationLevel isolation)
    {
        begin(isolation);
        history.version("delete", call(FIRST_TWO, 2), R3);
        call(FIRST_TWO, 2);
        assertPossible(isolation != SERIALIZABLE);
    }

    @ParameterizedTest
    @EnumSource
    void testDeletesOfSomeOfSameRows(IsolationLevel isolation)
    {
        begin(isolation);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("delete", call(FIRST_TWO, 2), R3);
        assertPossible(isolation != SERIALIZABLE);
    }

    @ParameterizedTest
    @EnumSource
    void testDeletesOneAfterTheOther(IsolationLevel isolation)
    {
        begin(isolation);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("delete", call(FIRST_TWO, 1), R3);
        call(FIRST_TWO, 0);
        assertPossible(true);
    }

    @Test
    void testDeleteBeforeTruncation()
    {
        begin(SERIALIZABLE);
        history.version("truncate", history.call(new Truncate("a"), 20, 40, id -> Outcome.done(Optional.of(id), List.of(), OptionalLong.empty())));
        call(FIRST_TWO, 2);
        assertPossible(true);
    }

    @Test
    void testDeletesBeforeTruncation()
    {
        begin(SERIALIZABLE);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("truncate", history.call(new Truncate("a"), 20, 40, id -> Outcome.done(Optional.of(id), List.of(), OptionalLong.empty())));
        call(FIRST_TWO, 2);
        assertPossible(false);
    }

    /**
     * The UPDATE has counted rows that were deleted, but it could have run first.
     */
    @Test
    void testUpdateBeforeDeletes()
    {
        begin(SERIALIZABLE);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("delete", call(new Delete("a", new IdRange(2, 2), 1), 1), R3);
        history.version("overwrite", call(UPDATE, 3), UPDATE.update(R3));
        assertPossible(true);
    }

    /**
     * The DELETE finds even amounts, and the UPDATE makes them odd.
     */
    @Test
    void testUpdateOfColumnsThatDeleteHasRead()
    {
        begin(SERIALIZABLE);
        history.version("delete", call(new Delete("a", new IdRange(1, 3), 2), 2), R3);
        history.version("overwrite", call(UPDATE, 3), UPDATE.update(R3));
        assertPossible(false);
    }

    /**
     * Both statements have counted a row that the first of them moves out of the predicate of the second.
     */
    @Test
    void testUpdateOfMovedRow()
    {
        begin(SNAPSHOT);
        history.version("overwrite", call(MOVE, 1), MOVE.update(R1), R2, R3);
        history.version("overwrite", call(UPDATE, 3), MOVE.update(R1), UPDATE.update(R2), UPDATE.update(R3));
        assertPossible(false);
    }

    @Test
    void testDeleteOfMovedRow()
    {
        begin(SNAPSHOT);
        history.version("overwrite", call(MOVE, 1), MOVE.update(R1), R2, R3);
        history.version("delete", call(FIRST_TWO, 2), MOVE.update(R1), R3);
        assertPossible(false);
    }

    /**
     * The DELETE makes no version, as if others had deleted its row.
     */
    @Test
    void testDeleteOfOnlyMovedRow()
    {
        begin(SNAPSHOT);
        history.version("overwrite", call(MOVE, 1), MOVE.update(R1), R2, R3);
        call(FIRST, 1);
        assertPossible(false);
    }

    @Test
    void testUpdateInPlaceAfterDelete()
    {
        begin(SNAPSHOT);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("overwrite", call(UPDATE, 3), UPDATE.update(R2), UPDATE.update(R3));
        assertPossible(true);
    }

    @Test
    void testUpdateOfTooManyRows()
    {
        begin(SERIALIZABLE);
        history.version("delete", call(FIRST, 1), R2, R3);
        history.version("overwrite", call(UPDATE, 4), UPDATE.update(R2), UPDATE.update(R3));
        assertPossible(false);
    }

    @Test
    void testUpdateOfTooFewRows()
    {
        begin(SERIALIZABLE);
        history.version("overwrite", call(UPDATE, 2), UPDATE.update(R1), UPDATE.update(R2), UPDATE.update(R3));
        assertPossible(false);
    }
}
