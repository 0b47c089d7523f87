package io.albis.trino.history;

import com.google.common.collect.Iterables;
import io.albis.trino.history.Outcome.Kind;

import java.util.List;
import java.util.Map;

import static io.albis.table.model.IsolationLevel.SERIALIZABLE;
import static io.albis.table.model.IsolationLevel.SNAPSHOT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs each statement of the workload, one after the other. What they return is checked by {@link Checker}.
 */
final class SequentialHistory
{
    private static final Row R1 = new Row(1, 1, 1, 10);
    private static final Row R2 = new Row(2, 2, 1, 21);
    private static final Row R3 = new Row(3, 3, 1, 32);

    private final History history;
    private final HistoryServer server;
    private final Collector collector = new Collector(new Workload(), this::execute);

    SequentialHistory(History history, HistoryServer server)
    {
        this.history = history;
        this.server = server;
    }

    void run()
    {
        done(new Write.Create("a", SERIALIZABLE, List.of(R1, R2)));
        failed(new Write.Create("a", SNAPSHOT, List.of(R3)), "TABLE_ALREADY_EXISTS");
        done(new Write.Insert("a", List.of(R3)));
        done(new Write.CreateTag("a", "x", 1));
        changeColumns();
        done(new Write.InsertSelect("a", new IdRange(2, 2), 5));
        done(new Maintenance.Optimize("a"));
        done(new Maintenance.Sort("a"));
        done(new Maintenance.AddIndex("a"));
        done(new Maintenance.Regroup("a", true));
        done(new Maintenance.DropIndex("a"));
        done(new Maintenance.DropIndex("a"));
        done(new Write.Merge("a", List.of(new Row(1, 11, 6, 7), new Row(9, 12, 6, 7))));
        collect();
        long committed = Long.parseLong(Iterables.getLast(done(new Read.Chain("a", Map.of())).rows()).get(5));
        done(new Write.Update("a", new IdRange(1, 9), 7));
        done(new Write.Move("a", new IdRange(2, 2), 5, 40, 8));
        read(committed);
        rename();
        expire();
        drop();
        collect();
    }

    private void changeColumns()
    {
        done(new Alteration.AddColumn("a", "e"));
        failed(new Alteration.AddColumn("a", "e"), "COLUMN_ALREADY_EXISTS");
        done(new Write.SetColumn("a", "e", new IdRange(1, 2), 3));
        done(new Alteration.RenameColumn("a", "e", "f"));
        failed(new Write.SetColumn("a", "e", new IdRange(1, 2), 3), "COLUMN_NOT_FOUND");
        done(new Alteration.AddColumn("a", "e"));
        done(new Write.SetColumn("a", "e", new IdRange(2, 3), 4));
        done(new Read.Newest("a"));
        done(new Alteration.DropColumn("a", "f"));
        // The values of the column that was dropped are not back
        done(new Alteration.AddColumn("a", "f"));
        done(new Read.Newest("a"));
    }

    private void read(long committed)
    {
        done(new Read.Newest("a"));
        done(new Read.Rows("a", new IdRange(1, 2)));
        done(new Read.Totals("a", new IdRange(1, 2)));
        done(new Read.Numbered("a", List.of(1L)));
        done(new Read.Tagged("a", "x"));
        failed(new Read.Tagged("a", "y"), "INVALID_ARGUMENTS");
        done(new Read.AsOf("a", committed));
        done(new Read.AsOf("a", committed - 1));
        failed(new Read.AsOf("a", 1), "INVALID_ARGUMENTS");
    }

    private void rename()
    {
        done(new Naming.Rename("a", "b"));
        done(new Naming.Unregister("b"));
        failed(new Read.Newest("b"), "TABLE_NOT_FOUND");
        String location = done(new Read.LostTables()).rows().getFirst().get(5);
        done(new Naming.Register("a", location));
        done(new Write.Rollback("a", 5));
        done(new Write.DropTag("a", "x"));
        collect();
    }

    private void expire()
    {
        done(new Maintenance.Expire("a", 0));
        failed(new Read.Numbered("a", List.of(2L)), "INVALID_ARGUMENTS");
        done(new Maintenance.RemoveOrphans("a", 0));
        done(new Read.Newest("a"));
        collect();
    }

    private void drop()
    {
        done(new Naming.Drop("a"));
        failed(new Read.Newest("a"), "TABLE_NOT_FOUND");
        done(new Write.Create("a", SNAPSHOT, List.of(R3)));
        done(new Read.Newest("a"));
        assertThat(done(new Read.LostTables()).rows()).hasSize(1);
        done(new Maintenance.Vacuum(0));
        assertThat(done(new Read.LostTables()).rows()).isEmpty();
        done(new Write.Replace("a", SNAPSHOT, List.of(R1, R2)));
        done(new Write.ReplaceSelect("a", SNAPSHOT, new IdRange(2, 2), 8));
        done(new Write.Delete("a", new IdRange(3, 3), 1));
        done(new Write.DeleteShifted("a", new IdRange(2, 2), 0));
        done(new Write.Truncate("a"));
        done(new Read.Newest("a"));
    }

    private void collect()
    {
        while (!collector.collectAll()) {
            assertThat(history.events()).hasSizeLessThan(1000);
        }
    }

    private Outcome done(Operation operation)
    {
        Outcome outcome = execute(operation);
        assertThat(outcome.kind()).as("%s: %s", operation, outcome).isEqualTo(Kind.DONE);
        return outcome;
    }

    private void failed(Operation operation, String error)
    {
        assertThat(execute(operation).error()).as(operation.toString()).hasValue(error);
    }

    private Outcome execute(Operation operation)
    {
        long call = history.newCall();
        history.invoked(call, 1, server.name(), operation);
        Outcome outcome = HistoryClient.execute(server.uri().orElseThrow(), HistoryRun.SCHEMA, operation.sql(), 0);
        history.responded(call, outcome);
        return outcome;
    }
}
