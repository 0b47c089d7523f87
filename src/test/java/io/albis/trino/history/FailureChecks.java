package io.albis.trino.history;

import io.albis.trino.history.Event.Killed;
import io.albis.trino.history.Read.Numbered;
import io.albis.trino.history.Write.CreateTag;
import io.albis.trino.history.Write.DropTag;
import io.albis.trino.history.Write.Expire;
import io.albis.trino.history.Write.Rename;
import io.albis.trino.history.Write.Replace;
import io.albis.trino.history.Write.ReplaceSelect;
import io.albis.trino.history.Write.Rollback;

import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Checks that each failure has a reason: for example, a conflict needs another writer.
 */
final class FailureChecks
{
    private final Versions versions;
    private final List<Call> calls;
    private final Consumer<String> anomalies;
    private final boolean storageWasKilled;
    private final OptionalLong shortestRetention;

    FailureChecks(Versions versions, List<Event> events, List<Call> calls, Consumer<String> anomalies)
    {
        this.versions = versions;
        this.calls = calls;
        this.anomalies = anomalies;
        this.storageWasKilled = events.stream().anyMatch(event -> event instanceof Killed killed && killed.storage());
        this.shortestRetention = calls.stream()
                .filter(call -> call.operation() instanceof Expire)
                .mapToLong(call -> TimeUnit.SECONDS.toNanos(((Expire) call.operation()).retentionSeconds()))
                .min();
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
            case "TABLE_NOT_FOUND" -> !hadTable(call);
            case "TABLE_ALREADY_EXISTS", "ALREADY_EXISTS" -> switch (operation) {
                case Rename rename -> mayHaveTable(rename.to(), call);
                case Replace _, ReplaceSelect _ -> mayHaveTable(operation.table(), call);
                default -> false;
            };
            case "INVALID_ARGUMENTS" -> switch (operation) {
                case Numbered numbered -> numbered.versions().stream().anyMatch(version -> mayLack(version, call));
                case Rollback rollback -> mayLack(rollback.version(), call);
                case CreateTag tag -> call.outcome().message().orElse("").contains("already has a tag") || mayLack(tag.version(), call);
                case DropTag _ -> call.outcome().message().orElse("").contains("has no tag");
                default -> false;
            };
            case Checker.STORAGE_FAILED -> storageWasKilled;
            case "ALBIS_BAD_DATA" -> call.outcome().message().orElse("").contains(" is missing") && versionExpired(call);
            default -> false;
        };
    }

    /**
     * Returns whether the version that a query reads may have expired during the query.
     */
    private boolean versionExpired(Call call)
    {
        boolean isLong = shortestRetention.isPresent() && call.responded() - call.invoked() >= shortestRetention.getAsLong();
        return isLong || (call.operation() instanceof Numbered && calls.stream().anyMatch(other -> other.operation() instanceof Expire && other.overlaps(call.invoked(), call.responded())));
    }

    /**
     * Returns whether another statement may have committed at the same time, or may have begun to use the same name.
     */
    private boolean othersWrote(Call call)
    {
        return versions.unseen() > 0
                || versions.all().stream().anyMatch(version -> version.earliest <= call.responded() && version.latest >= call.invoked())
                || calls.stream().anyMatch(other -> other.number() != call.number()
                && (other.operation() instanceof Rename || other.operation() instanceof Replace || other.operation() instanceof ReplaceSelect)
                && other.overlaps(call.invoked(), call.responded()));
    }

    private boolean mayHaveTable(String name, Call call)
    {
        return !versions.newest(name, call.invoked(), call.responded()).isEmpty()
                || calls.stream().anyMatch(other -> other.number() != call.number()
                && ((other.operation() instanceof Rename rename && rename.to().equals(name)) || (other.operation() instanceof Replace replace && replace.table().equals(name)))
                && other.overlaps(call.invoked(), call.responded()));
    }

    /**
     * Returns whether the table may have had no such version, or no longer.
     */
    private boolean mayLack(long version, Call call)
    {
        if (call.outcome().message().orElse("").contains("has expired")) {
            return shortestRetention.isPresent();
        }
        return versions.unseen() > 0 || versions.newest(call.operation().table(), call.invoked(), call.responded()).stream().anyMatch(newest -> newest.number < version);
    }

    /**
     * Returns whether a table certainly had the name all the time.
     */
    private boolean hadTable(Call call)
    {
        for (NavigableMap<Long, Version> chain : versions.chains()) {
            Version named = null;
            for (Version version : chain.values()) {
                boolean has = call.operation().table().equals(version.name);
                if (has && named == null) {
                    named = version;
                }
                else if (!has && named != null) {
                    if (named.latest <= call.invoked() && version.earliest >= call.responded()) {
                        return true;
                    }
                    named = null;
                }
            }
            if (named != null && named.latest <= call.invoked() && !mayBeRenamed(call)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether a RENAME was begun whose outcome is unknown.
     */
    private boolean mayBeRenamed(Call call)
    {
        return calls.stream().anyMatch(other -> other.operation() instanceof Rename rename
                && rename.table().equals(call.operation().table())
                && !other.isDone()
                && other.invoked() <= call.responded());
    }
}
