package io.albis.trino.history;

import io.albis.trino.history.Alteration.AddColumn;
import io.albis.trino.history.Alteration.DropColumn;
import io.albis.trino.history.Alteration.RenameColumn;
import io.albis.trino.history.Event.Killed;
import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Naming.Register;
import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Read.AsOf;
import io.albis.trino.history.Read.Numbered;
import io.albis.trino.history.Read.Tagged;
import io.albis.trino.history.Write.Create;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;
import io.albis.trino.history.Write.SetColumn;

import java.util.List;
import java.util.function.Consumer;

/**
 * Checks that each failure has a reason: for example, a conflict needs another writer.
 */
final class FailureChecks
{
    private final Versions versions;
    private final List<Call> calls;
    private final Names names;
    private final Gaps gaps;
    private final Consumer<String> anomalies;
    private final Retentions retentions;
    private final boolean storageWasKilled;

    FailureChecks(Versions versions, List<Event> events, List<Call> calls, Names names, Gaps gaps, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.names = names;
        this.gaps = gaps;
        this.anomalies = anomalies;
        this.storageWasKilled = events.stream().anyMatch(event -> event instanceof Killed killed && killed.storage());
        this.retentions = new Retentions(versions, calls, gaps);
    }

    void check()
    {
        for (Call call : calls) {
            if (!call.isDone() && !call.isUnknown() && !hasReason(call)) {
                anomalies.accept("A failure without a reason: %s %s".formatted(call.outcome().error().orElse(""), call));
            }
        }
    }

    private boolean hasReason(Call call)
    {
        Operation operation = call.operation();
        return switch (call.outcome().error().orElse("")) {
            case Checker.CONFLICT -> operation instanceof Write && othersWrote(call);
            case "TABLE_NOT_FOUND" -> operation instanceof Register ? others(call, Drop.class) : names.table(operation.table(), call).isEmpty();
            case "TABLE_ALREADY_EXISTS", "ALREADY_EXISTS" -> switch (operation) {
                case Rename rename -> mayHaveTable(rename.to(), call);
                case Register register -> mayHaveTable(register.table(), call) || others(call, Register.class);
                case Create _, Replace _, ReplaceSelect _ -> mayHaveTable(operation.table(), call);
                case AddColumn add -> mayHaveColumn(add.column(), call);
                case RenameColumn rename -> mayHaveColumn(rename.to(), call);
                default -> false;
            };
            case "COLUMN_ALREADY_EXISTS" -> switch (operation) {
                case AddColumn add -> mayHaveColumn(add.column(), call);
                case RenameColumn rename -> mayHaveColumn(rename.to(), call);
                default -> false;
            };
            case "COLUMN_NOT_FOUND" -> switch (operation) {
                case SetColumn set -> mayLackColumn(set.column(), call);
                case DropColumn drop -> mayLackColumn(drop.column(), call);
                case RenameColumn rename -> mayLackColumn(rename.column(), call);
                default -> false;
            };
            case "INVALID_PROCEDURE_ARGUMENT" -> operation instanceof Register && call.outcome().message().orElse("").contains("was dropped") && others(call, Drop.class);
            case "INVALID_ARGUMENTS" -> switch (operation) {
                case Numbered numbered -> numbered.versions().stream().anyMatch(version -> mayLack(version, call));
                case Rollback rollback -> mayLack(rollback.version(), call);
                case AsOf read -> mayHaveNothingAt(read, call);
                case Tagged read -> mayLackTag(read.tag(), call);
                case CreateTag tag -> call.outcome().message().orElse("").contains("already has a tag") || mayLack(tag.version(), call);
                case DropTag _ -> call.outcome().message().orElse("").contains("has no tag");
                default -> false;
            };
            case Checker.STORAGE_FAILED -> storageWasKilled;
            case "ALBIS_BAD_DATA" -> call.outcome().message().orElse("").contains(" is missing") && retentions.mayHaveLostFiles(call);
            default -> false;
        };
    }

    private boolean mayHaveNothingAt(AsOf read, Call call)
    {
        // Once versions have expired, it is unknown until when the oldest one was the newest
        return gaps.overlap(call)
                || retentions.mayHaveExpired(call)
                || versions.newest(read.table(), call.invoked(), call.responded()).stream()
                .map(newest -> versions.first(newest.table))
                .anyMatch(first -> first.committed.orElse(Long.MAX_VALUE) > read.millis());
    }

    private boolean mayLackTag(String tag, Call call)
    {
        return gaps.overlap(call) || versions.newest(call.operation().table(), call.invoked(), call.responded()).stream()
                .anyMatch(version -> version.tags == null || !version.tags.containsKey(tag));
    }

    private boolean mayHaveColumn(String column, Call call)
    {
        return gaps.overlap(call) || versions.newest(call.operation().table(), call.invoked(), call.responded()).stream()
                .anyMatch(version -> version.added == null || version.added.containsKey(column));
    }

    private boolean mayLackColumn(String column, Call call)
    {
        return gaps.overlap(call) || versions.newest(call.operation().table(), call.invoked(), call.responded()).stream()
                .anyMatch(version -> version.added == null || !version.added.containsKey(column));
    }

    /**
     * Returns whether another statement of a kind may have taken effect before the call was over.
     */
    private boolean others(Call call, Class<? extends Write> kind)
    {
        return calls.stream().anyMatch(other -> other.number() != call.number() && kind.isInstance(other.operation()) && other.mayTakeEffect() && other.invoked() <= call.responded());
    }

    /**
     * Returns whether another statement may have committed at the same time, or may have begun to use the same name.
     */
    private boolean othersWrote(Call call)
    {
        return gaps.overlap(call)
                || retentions.mayHaveLostFiles(call)
                || versions.all().stream().anyMatch(version -> version.earliest <= call.responded() && version.latest >= call.invoked())
                || calls.stream().anyMatch(other -> other.number() != call.number()
                && (other.operation() instanceof Naming || other.operation() instanceof Create || other.operation() instanceof Replace || other.operation() instanceof ReplaceSelect)
                && other.overlaps(call.invoked(), call.responded()));
    }

    private boolean mayHaveTable(String name, Call call)
    {
        return gaps.overlap(call)
                || !versions.newest(name, call.invoked(), call.responded()).isEmpty()
                || calls.stream().anyMatch(other -> other.number() != call.number()
                && switch (other.operation()) {
            case Rename rename -> rename.to().equals(name);
            case Create _, Register _, Replace _, ReplaceSelect _ -> other.operation().table().equals(name);
            default -> false;
        }
                && other.overlaps(call.invoked(), call.responded()));
    }

    /**
     * Returns whether the table may have had no such version, or no longer.
     */
    private boolean mayLack(long version, Call call)
    {
        if (call.outcome().message().orElse("").contains("has expired")) {
            return retentions.mayHaveExpired(call, version);
        }
        return gaps.overlap(call) || versions.newest(call.operation().table(), call.invoked(), call.responded()).stream().anyMatch(newest -> newest.number < version);
    }
}
