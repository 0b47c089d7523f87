package io.albis.trino.history;

import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Outcome.Kind;
import io.albis.trino.history.Write.Delete;
import io.albis.trino.history.Write.Insert;
import io.albis.trino.history.Write.Replace;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the checker allows a statement of which the client does not know what has become of it.
 */
final class TestUnknownOutcomes
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

    @Test
    void testUnknownOutcome()
    {
        ScriptedHistory history = begin();
        history.call(INSERT, Kind.UNKNOWN, List.of());
        String late = history.call(INSERT, Kind.UNKNOWN, List.of());
        history.write("delete", DELETE, R2);
        assertThat(history.version("append", late, R2, R3).check()).isEmpty();
    }

    /**
     * A server that was killed must not change anything later.
     */
    @Test
    void testEffectAfterEnd()
    {
        ScriptedHistory history = begin();
        String early = history.call(INSERT, Kind.ENDED, List.of());
        history.version("append", early, R1, R2, R3);
        assertThat(history.check()).isEmpty();

        history = begin();
        String late = history.call(INSERT, Kind.ENDED, List.of());
        history.write("delete", DELETE, R2);
        assertThat(history.version("append", late, R2, R3).check()).isNotEmpty().allMatch(anomaly -> anomaly.startsWith("This began only after what depends on it was over"));
    }

    /**
     * A table that was not created cannot explain what happens after somebody has looked for it.
     */
    @Test
    void testTableThatWasNotCreated()
    {
        for (boolean listed : new boolean[] {true, false}) {
            ScriptedHistory history = begin();
            history.call(new Replace("b", SERIALIZABLE, List.of(R1)), Kind.ENDED, List.of());
            if (listed) {
                history.call(new Read.Chain("b", Map.of()), history.now() + 1, history.now() + 9, id -> Outcome.failed(Optional.of(id), "TABLE_NOT_FOUND", ""));
            }
            history.call(INSERT, Kind.DONE, List.of());
            history.call(new Naming.Drop("b"), Kind.ENDED, List.of());
            assertThat(history.check()).hasSize(listed ? 1 : 0).allMatch(anomaly -> anomaly.startsWith("The table has lost call"));
        }
    }

    @Test
    void testRenameThatAnotherQueryCompletes()
    {
        for (Kind kind : List.of(Kind.UNKNOWN, Kind.ENDED)) {
            ScriptedHistory history = begin();
            history.call(new Rename("a", "b"), kind, List.of());
            String helper = history.call(new Read.Rows("b", new IdRange(1, 1)), Kind.DONE, List.of(R1.values()));
            history.version("rename", helper, R1, R2);
            history.write("rename", new Rename("b", "a"), R1, R2);
            assertThat(history.check()).as(kind.toString()).isEmpty();
        }

        ScriptedHistory ofNobody = begin();
        ofNobody.version("rename", ofNobody.call(new Read.Rows("b", new IdRange(1, 1)), Kind.DONE, List.of(R1.values())), R1, R2);
        assertThat(ofNobody.check()).anyMatch(anomaly -> anomaly.startsWith("Nobody has asked for the RENAME to b"));
    }
}
