package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMultiset;
import com.google.common.collect.Multiset;
import io.albis.trino.history.Write.Insert;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The checker accepts random histories of a table in memory, whose calls overlap, and finds one thing that is wrong.
 */
final class TestRandomHistories
{
    private static final int ROUNDS = 20;
    private static final int CALLS = 60;

    enum Fault
    {
        NONE, LOST_ROW, DOUBLED_ROW, STALE_READ, LOST_STATEMENT
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void test(Fault fault)
    {
        long seed = new Random().nextLong();
        for (int round = 0; round < ROUNDS; round++) {
            List<String> anomalies = new Table(new Random(seed + round)).run(fault);
            assertThat(anomalies.isEmpty()).as("Seed %s, %s: %s", seed + round, fault, anomalies).isEqualTo(fault == Fault.NONE);
        }
    }

    /**
     * A call takes effect at a multiple of 10, and begins and ends some time before and after.
     */
    private static final class Table
    {
        private static final String NAME = "a";
        private static final int LONGEST = 50;

        private record Written(String operation, String queryId, ImmutableMultiset<Row> rows) {}

        private final Random random;
        private final ScriptedHistory history = new ScriptedHistory();
        private final Workload workload = new Workload();
        private final List<Written> versions = new ArrayList<>();
        private long effect = 1000;

        Table(Random random)
        {
            this.random = random;
            workload.sawName(NAME, true);
        }

        List<String> run(Fault fault)
        {
            write("create", (Write) workload.first(NAME, SERIALIZABLE, 1, random));
            for (int call = 2; call <= CALLS; call++) {
                step(call);
            }
            if (fault == Fault.LOST_STATEMENT) {
                call(new Insert(NAME, List.of(new Row(1, 2, 3, 4))), List.of());
            }
            if (fault == Fault.STALE_READ) {
                write("append", new Insert(NAME, List.of(new Row(1, 2, 3, 4))));
                effect += 2 * LONGEST;
                call(new Read.Newest(NAME), ScriptedHistory.rows(versions.size() - 1, versions.get(versions.size() - 2).rows().asList()));
            }
            int faulty = random.nextInt(versions.size());
            while (versions.get(faulty).rows().isEmpty()) {
                faulty = random.nextInt(versions.size());
            }
            for (int version = 0; version < versions.size(); version++) {
                Written written = versions.get(version);
                List<Row> rows = new ArrayList<>(written.rows());
                if (version == faulty && fault == Fault.LOST_ROW) {
                    rows.remove(random.nextInt(rows.size()));
                }
                if (version == faulty && fault == Fault.DOUBLED_ROW) {
                    rows.add(rows.get(random.nextInt(rows.size())));
                }
                history.version(written.operation(), written.queryId(), rows.toArray(Row[]::new));
            }
            return history.check();
        }

        private void step(int call)
        {
            ImmutableMultiset<Row> rows = versions.getLast().rows();
            workload.saw(NAME, versions.size());
            switch (workload.next(call, random, 1)) {
                case Write.Rename _, Write.Expire _, Write.RemoveOrphans _, Write.CreateTag _, Write.DropTag _ -> {}
                case Write write when !write.table().equals(NAME) -> {}
                case Replace replace -> write("replace", new Replace(NAME, SERIALIZABLE, replace.rows()));
                case ReplaceSelect replace -> write("replace", new ReplaceSelect(NAME, SERIALIZABLE, replace.range(), replace.writer()));
                case Write write -> write("change", write);
                case Read.Rows query -> call(new Read.Rows(NAME, query.range()), Model.select(rows, query.range()::contains).stream().map(Row::values).toList());
                case Read.Numbered query -> call(new Read.Numbered(NAME, query.versions()), ScriptedHistory.rows(query.versions().getFirst(), versions.get((int) (query.versions().getFirst() - 1)).rows().asList()));
                case Read _ -> call(new Read.Newest(NAME), ScriptedHistory.rows(versions.size(), rows.asList()));
            }
        }

        private void write(String operation, Write write)
        {
            Multiset<Row> current = versions.isEmpty() ? ImmutableMultiset.of() : versions.getLast().rows();
            Multiset<Row> after = write instanceof Rollback rollback ? versions.get((int) rollback.version() - 1).rows() : Model.apply(write, current, current).orElseThrow();
            boolean always = write instanceof Replace || write instanceof ReplaceSelect || (write instanceof Rollback rollback && rollback.version() < versions.size());
            String queryId = call(write, List.of());
            if (always || !after.equals(current)) {
                versions.add(new Written(operation, queryId, ImmutableMultiset.copyOf(after)));
            }
        }

        private String call(Operation operation, List<List<String>> rows)
        {
            effect += 10;
            return history.call(operation, effect - 1 - random.nextInt(LONGEST), effect + 1 + random.nextInt(LONGEST), id -> Outcome.done(Optional.of(id), ImmutableList.copyOf(rows), OptionalLong.empty()));
        }
    }
}
