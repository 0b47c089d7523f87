package io.albis.trino.history;

import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Outcome.Kind;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.Insert;
import io.albis.trino.history.Write.InsertSelect;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;
import io.albis.trino.history.Write.Update;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checker finds what is wrong in histories that are made up, and nothing in histories that are possible.
 */
final class TestChecker
{
    private static final Row R1 = new Row(1, 1, 1, 10);
    private static final Row R2 = new Row(2, 2, 1, 20);
    private static final Row R3 = new Row(3, 3, 2, 30);
    private static final Insert INSERT = new Insert("a", List.of(R3));
    private static final Delete DELETE = new Delete("a", new IdRange(1, 1), 1);

    private static ScriptedHistory begin()
    {
        return new ScriptedHistory().write("create", new Replace("a", SERIALIZABLE, List.of(R1, R2)), R1, R2);
    }

    private static ScriptedHistory beginSnapshot()
    {
        return new ScriptedHistory().write("create", new Replace("a", SNAPSHOT, List.of(R1, R2)), R1, R2);
    }

    private static Outcome done(String queryId)
    {
        return Outcome.done(Optional.of(queryId), List.of(), OptionalLong.empty());
    }

    @Test
    void testPossibleHistory()
    {
        assertThat(begin()
                .read(1, R1, R2)
                .write("append", INSERT, R1, R2, R3)
                .read(2, R1, R2, R3)
                .write("delete", DELETE, R2, R3)
                .read(3, R2, R3)
                .write("rollback", new Rollback("a", 1), R1, R2)
                .read(4, R1, R2)
                .write("truncate", new Write.Truncate("a"))
                .read(5)
                .check()).isEmpty();
    }

    @Test
    void testLostRow()
    {
        assertThat(begin().write("append", INSERT, R1, R3).check()).singleElement().asString().startsWith("Wrong rows in version 2").contains("it lacks [" + R2);
        assertThat(begin().write("append", INSERT, R1, R2).check()).singleElement().asString().contains("it lacks [" + R3);
    }

    @Test
    void testDoubledRow()
    {
        assertThat(begin().write("append", INSERT, R1, R2, R3, R3).check()).singleElement().asString().contains("should not have [" + R3);
    }

    @Test
    void testRowThatWasDeletedIsBack()
    {
        assertThat(begin().write("delete", DELETE, R2).write("append", INSERT, R1, R2, R3).check()).singleElement().asString().startsWith("Wrong rows in version 3");
    }

    @Test
    void testLostStatement()
    {
        ScriptedHistory history = begin();
        history.call(INSERT, Kind.DONE, List.of());
        assertThat(history.check()).singleElement().asString().startsWith("The table has lost call 2");
    }

    @Test
    void testStatementWithNothingToChange()
    {
        ScriptedHistory history = begin();
        history.call(new Delete("a", new IdRange(7, 8), 1), Kind.DONE, List.of());
        history.call(new Update("a", new IdRange(7, 8), 3), Kind.DONE, List.of());
        assertThat(history.check()).isEmpty();
        history.call(new Delete("a", new IdRange(2, 8), 1), Kind.DONE, List.of());
        assertThat(history.check()).singleElement().asString().startsWith("The table has lost");
    }

    @Test
    void testStatementTookEffectTwice()
    {
        ScriptedHistory history = begin();
        String query = history.call(INSERT, Kind.DONE, List.of());
        history.version("append", query, R1, R2, R3).version("append", query, R1, R2, R3, R3);
        assertThat(history.check()).anyMatch(anomaly -> anomaly.startsWith("A statement has made two versions"));
    }

    @Test
    void testFailedStatementTookEffect()
    {
        ScriptedHistory history = begin();
        // A conflict needs another writer
        history.call(new Delete("a", new IdRange(7, 8), 1), history.now() + 1, history.now() + 9, TestChecker::done);
        String query = history.call(INSERT, 12, 18, id -> Outcome.failed(Optional.of(id), Checker.CONFLICT, ""));
        history.version("append", query, R1, R2, R3);
        assertThat(history.check()).singleElement().asString().startsWith("A statement that failed has made version 2");
    }

    /**
     * The storage fails while the statement deletes files, after it has put a version.
     */
    @Test
    void testMaintenanceThatFailsAfterItsVersion()
    {
        for (Write statement : List.of(new Maintenance.Expire("a", 0), new Maintenance.Optimize("a"))) {
            ScriptedHistory history = begin();
            history.killStorage();
            String query = history.call(statement, 11, 19, id -> Outcome.failed(Optional.of(id), Checker.STORAGE_FAILED, ""));
            history.version(statement instanceof Maintenance.Expire ? "expire" : "optimize", query, R1, R2);
            if (statement instanceof Maintenance.Expire) {
                assertThat(history.check()).isEmpty();
            }
            else {
                assertThat(history.check()).singleElement().asString().startsWith("A statement that failed has made version 2");
            }
        }
    }

    @Test
    void testVersionOfNobody()
    {
        assertThat(begin().version("append", "query of somebody else", R1, R2, R3).check()).singleElement().asString().startsWith("Nobody has made version 2");
    }

    @Test
    void testStaleRead()
    {
        ScriptedHistory history = begin().write("append", INSERT, R1, R2, R3).read(1, R1, R2);
        assertThat(history.check()).isNotEmpty().allMatch(anomaly -> anomaly.startsWith("This began only after what depends on it was over"));

        ScriptedHistory withoutNumber = begin().write("append", INSERT, R1, R2, R3);
        withoutNumber.call(new Read.Rows("a", new IdRange(0, 9)), Kind.DONE, List.of(R1.values(), R2.values()));
        assertThat(withoutNumber.check()).singleElement().asString().startsWith("A query has not returned the rows of any version");
    }

    @Test
    void testReadsGoBackward()
    {
        // The INSERT runs all the time, and the second query no longer sees what the first one saw
        ScriptedHistory history = begin();
        String insert = history.call(INSERT, history.now(), history.now() + 1000, TestChecker::done);
        history.version("append", insert, R1, R2, R3);
        history.call(new Read.Newest("a"), 20, 29, id -> Outcome.done(Optional.of(id), List.of(row(2, R1), row(2, R2), row(2, R3)), OptionalLong.empty()));
        history.call(new Read.Newest("a"), 30, 39, id -> Outcome.done(Optional.of(id), List.of(row(1, R1), row(1, R2)), OptionalLong.empty()));
        assertThat(history.check()).isNotEmpty().allMatch(anomaly -> anomaly.startsWith("This began only after what depends on it was over"));
    }

    @Test
    void testConcurrentReads()
    {
        ScriptedHistory history = begin();
        String insert = history.call(INSERT, history.now(), history.now() + 1000, TestChecker::done);
        history.version("append", insert, R1, R2, R3);
        history.call(new Read.Newest("a"), 20, 29, id -> Outcome.done(Optional.of(id), List.of(row(1, R1), row(1, R2)), OptionalLong.empty()));
        history.call(new Read.Newest("a"), 30, 39, id -> Outcome.done(Optional.of(id), List.of(row(2, R1), row(2, R2), row(2, R3)), OptionalLong.empty()));
        assertThat(history.check()).isEmpty();
    }

    private static List<String> row(long version, Row row)
    {
        return List.of(ScriptedHistory.TABLE_ID, String.valueOf(version), row.values().get(0), row.values().get(1), row.values().get(2), row.values().get(3));
    }

    @Test
    void testTwoVersionsInOneQuery()
    {
        ScriptedHistory history = begin();
        String insert = history.call(INSERT, history.now(), history.now() + 1000, TestChecker::done);
        history.version("append", insert, R1, R2, R3);
        // The rows of one version, and the sum of the other one
        history.call(new Read.Totals("a", new IdRange(0, 9)), 20, 29, id -> Outcome.done(Optional.of(id), List.of(List.of("2", "60", "2", "2")), OptionalLong.empty()));
        assertThat(history.check()).singleElement().asString().startsWith("A query has not returned the rows of any version");

        ScriptedHistory one = begin();
        one.call(new Read.Totals("a", new IdRange(2, 9)), Kind.DONE, List.of(List.of("2", "30", "1", "2")));
        assertThat(one.check()).isEmpty();
    }

    @Test
    void testVersionChanges()
    {
        assertThat(begin().read(1, R1).check()).anyMatch(anomaly -> anomaly.startsWith("Two reads of version 1"));
    }

    @Test
    void testOrderOfAcknowledgedStatements()
    {
        ScriptedHistory history = begin();
        String insert = history.call(INSERT, Kind.DONE, List.of());
        String delete = history.call(DELETE, Kind.DONE, List.of());
        history.version("delete", delete, R2).version("append", insert, R2, R3);
        assertThat(history.check()).isNotEmpty().allMatch(anomaly -> anomaly.startsWith("This began only after what depends on it was over"));
    }

    /**
     * Two UPDATE statements of the same row, of which the second one has read the row before the first one changed it.
     */
    @Test
    void testLostUpdate()
    {
        Row first = new Update("a", new IdRange(1, 1), 2).update(R1);
        Row second = new Update("a", new IdRange(1, 1), 3).update(R1);
        for (ScriptedHistory history : List.of(begin(), beginSnapshot())) {
            String one = history.call(new Update("a", new IdRange(1, 1), 2), 20, 40, TestChecker::done);
            String two = history.call(new Update("a", new IdRange(1, 1), 3), 20, 40, TestChecker::done);
            history.version("overwrite", one, first, R2).version("overwrite", two, second, R2);
            assertThat(history.check()).singleElement().asString().startsWith("Wrong rows in version 3");
        }
    }

    /**
     * An INSERT with a query that does not see what another statement has committed in the meantime.
     */
    @Test
    void testIsolationLevels()
    {
        InsertSelect copies = new InsertSelect("a", new IdRange(0, 9), 3);
        Row[] rows = {R1, R2, R3, copies.copy(R1), copies.copy(R2)};
        ScriptedHistory serializable = begin();
        serializable.version("append", serializable.call(INSERT, 20, 40, TestChecker::done), R1, R2, R3)
                .version("append", serializable.call(copies, 20, 40, TestChecker::done), rows);
        assertThat(serializable.check()).singleElement().asString().startsWith("Wrong rows in version 3");

        ScriptedHistory snapshot = beginSnapshot();
        snapshot.version("append", snapshot.call(INSERT, 20, 40, TestChecker::done), R1, R2, R3)
                .version("append", snapshot.call(copies, 20, 40, TestChecker::done), rows);
        assertThat(snapshot.check()).isEmpty();

        // The other statement was over before this one began
        ScriptedHistory tooOld = beginSnapshot();
        tooOld.version("append", tooOld.call(INSERT, 20, 29, TestChecker::done), R1, R2, R3)
                .version("append", tooOld.call(copies, 30, 40, TestChecker::done), rows);
        assertThat(tooOld.check()).singleElement().asString().startsWith("Wrong rows in version 3");
    }

    @Test
    void testDeletesOfTheSameRow()
    {
        for (ScriptedHistory history : List.of(begin(), beginSnapshot())) {
            String one = history.call(DELETE, 20, 40, TestChecker::done);
            history.call(DELETE, 20, 40, TestChecker::done);
            assertThat(history.version("delete", one, R2).check()).isEmpty();
        }
    }

    /**
     * The DELETE has read the version before the INSERT. The UPDATE has not changed what decides which rows match.
     */
    @Test
    void testDeleteOfUpdatedRow()
    {
        Update update = new Update("a", new IdRange(1, 3), 3);
        ScriptedHistory history = beginSnapshot();
        history.version("append", history.call(INSERT, 20, 40, TestChecker::done), R1, R2, R3);
        history.version("overwrite", history.call(update, 20, 40, TestChecker::done), update.update(R1), update.update(R2), update.update(R3));
        String delete = history.call(new Delete("a", new IdRange(1, 3), 1), 20, 40, TestChecker::done);
        assertThat(history.version("delete", delete, update.update(R3)).check()).isEmpty();

        // the amounts decide
        history = beginSnapshot();
        history.version("append", history.call(INSERT, 20, 40, TestChecker::done), R1, R2, R3);
        history.version("overwrite", history.call(update, 20, 40, TestChecker::done), update.update(R1), update.update(R2), update.update(R3));
        delete = history.call(new Delete("a", new IdRange(1, 3), 2), 20, 40, TestChecker::done);
        assertThat(history.version("delete", delete, update.update(R3)).check()).singleElement().asString().startsWith("Wrong rows in version 4");
    }

    @Test
    void testFailureWithoutReason()
    {
        ScriptedHistory history = begin();
        history.call(INSERT, Kind.FAILED, List.of());
        assertThat(history.check()).singleElement().asString().startsWith("A failure without a reason: TRANSACTION_CONFLICT");
        history.call(INSERT, history.now() + 1, history.now() + 2, id -> Outcome.failed(Optional.of(id), "GENERIC_INTERNAL_ERROR", ""));
        assertThat(history.check()).anyMatch(anomaly -> anomaly.contains("GENERIC_INTERNAL_ERROR"));
    }

    /**
     * The version of a time may expire during the query, if the retention allows it.
     */
    @Test
    void testExpiryDuringTimeTravel()
    {
        for (boolean expired : new boolean[] {true, false}) {
            ScriptedHistory history = begin().write("append", INSERT, R1, R2, R3);
            if (expired) {
                history.call(new Maintenance.Expire("a", 0), 22, 28, TestChecker::done);
            }
            history.call(new Read.AsOf("a", 0), 21, 29, id -> Outcome.failed(Optional.of(id), "ALBIS_BAD_DATA", "A manifest is missing"));
            assertThat(history.check().isEmpty()).isEqualTo(expired);
        }
    }

    /**
     * A CREATE TABLE that was too late drops the table that it has written.
     */
    @Test
    void testAbandonedTable()
    {
        for (boolean failed : new boolean[] {true, false}) {
            ScriptedHistory history = begin();
            if (failed) {
                history.call(new Write.Create("a", SERIALIZABLE, List.of(R3)), 11, 19, id -> Outcome.failed(Optional.of(id), "TABLE_ALREADY_EXISTS", ""));
            }
            history.dropped("id of another table", 2, 0);
            if (failed) {
                assertThat(history.check()).isEmpty();
            }
            else {
                assertThat(history.check()).singleElement().asString().startsWith("Nobody has dropped the table id of another table with the name a");
            }
        }
    }

    /**
     * Nobody has seen the version that a statement has read before the table was dropped.
     */
    @Test
    void testUnseenVersion()
    {
        for (boolean insert : new boolean[] {true, false}) {
            ScriptedHistory history = begin();
            history.collect();
            history.call(new ReplaceSelect("a", SERIALIZABLE, new IdRange(2, 8), 5), Kind.DONE, List.of());
            history.call(insert ? INSERT : DELETE, Kind.DONE, List.of());
            history.call(new Naming.Drop("a"), Kind.DONE, List.of());
            history.dropped(3, 1);
            if (insert) {
                assertThat(history.check()).anyMatch(anomaly -> anomaly.startsWith("The table has lost call"));
            }
            else {
                assertThat(history.check()).isEmpty();
            }
        }
    }

    @Test
    void testTableNotFound()
    {
        ScriptedHistory history = begin();
        history.call(new Read.Newest("a"), 20, 29, id -> Outcome.failed(Optional.of(id), "TABLE_NOT_FOUND", ""));
        assertThat(history.check()).singleElement().asString().startsWith("A failure without a reason: TABLE_NOT_FOUND");

        ScriptedHistory renamed = begin().write("rename", new Rename("a", "b"), R1, R2);
        renamed.call(new Read.Newest("a"), 30, 39, id -> Outcome.failed(Optional.of(id), "TABLE_NOT_FOUND", ""));
        renamed.write("rename", new Rename("b", "a"), R1, R2);
        assertThat(renamed.check()).isEmpty();
    }

    @Test
    void testWrongName()
    {
        ScriptedHistory history = begin().write("rename", new Rename("a", "b"), R1, R2);
        history.read(2, R1, R2);
        assertThat(history.check()).anyMatch(anomaly -> anomaly.startsWith("A name has referred to a table with another name"));
    }
}
