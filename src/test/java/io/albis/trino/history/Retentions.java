package io.albis.trino.history;

import io.albis.trino.history.Maintenance.Expire;
import io.albis.trino.history.Maintenance.Vacuum;
import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Read.AsOf;
import io.albis.trino.history.Read.Numbered;
import io.albis.trino.history.Read.Tagged;
import io.albis.trino.history.Write.DropTag;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decides which versions may have expired, and which files of dropped tables may be gone, according to the retention of
 * the statements that delete them.
 */
final class Retentions
{
    private final Versions versions;
    private final List<Call> calls;
    private final Gaps gaps;

    Retentions(Versions versions, List<Call> calls, Gaps gaps)
    {
        this.versions = versions;
        this.calls = calls;
        this.gaps = gaps;
    }

    /**
     * Returns whether a version with a number may have expired before a call was over.
     */
    boolean mayHaveExpired(Call call, long number)
    {
        return versions.newest(call.operation().table(), call.invoked(), call.responded()).stream()
                .anyMatch(newest -> mayHaveExpired(newest.table, number, call));
    }

    /**
     * Returns whether any version may have expired before a call was over.
     */
    boolean mayHaveExpired(Call call)
    {
        return versions.newest(call.operation().table(), call.invoked(), call.responded()).stream()
                .map(newest -> versions.first(newest.table))
                .anyMatch(first -> mayHaveExpired(first.table, first.number, call));
    }

    private boolean mayHaveExpired(String table, long number, Call call)
    {
        if (versions.last(table).orElseThrow().number <= number && !gaps.overlap(table, 0, call.responded())) {
            // Nothing has replaced it
            return false;
        }
        long replaced = versions.find(table, number + 1)
                .map(next -> next.call.map(Call::invoked).orElse(0L))
                .orElse(0L);
        return mayHaveDeleted(replaced, call);
    }

    /**
     * Returns whether an expiry may have deleted what was replaced at a time, before a call was over.
     */
    private boolean mayHaveDeleted(long replaced, Call call)
    {
        return calls.stream().anyMatch(other -> other.operation() instanceof Expire expire
                && other.invoked() <= call.responded()
                && replaced + TimeUnit.SECONDS.toNanos(expire.retentionSeconds()) <= Math.min(other.responded(), call.responded()));
    }

    /**
     * Returns whether files that a call needs may have been deleted while it ran: those of a version that has expired,
     * or of a table that was dropped.
     */
    boolean mayHaveLostFiles(Call call)
    {
        if (call.operation() instanceof Numbered numbered && numbered.versions().stream().anyMatch(version -> mayHaveExpired(call, version))) {
            return true;
        }
        // The version of a time may be one that was replaced long ago
        if (call.operation() instanceof AsOf && mayHaveExpired(call)) {
            return true;
        }
        // That of a tag stays for the retention after others have dropped the tag
        if (call.operation() instanceof Tagged && tagDroppedBeforeTheRetention(call)) {
            return true;
        }
        // Other queries read what was the newest version when they began
        return (othersChanged(call) && mayHaveDeleted(call.invoked(), call))
                || calls.stream().anyMatch(other -> other.operation() instanceof Vacuum vacuum
                && other.overlaps(call.invoked(), call.responded())
                && call.responded() - call.invoked() >= TimeUnit.SECONDS.toNanos(vacuum.retentionSeconds())
                && (call.operation() instanceof Write || dropped(call)));
    }

    private boolean othersChanged(Call call)
    {
        return gaps.overlap(call) || versions.newest(call.operation().table(), call.invoked(), call.responded()).size() > 1;
    }

    private boolean tagDroppedBeforeTheRetention(Call call)
    {
        return calls.stream().anyMatch(other -> other.operation() instanceof DropTag
                && other.mayTakeEffect()
                && other.overlaps(call.invoked(), call.responded())
                && mayHaveDeleted(other.invoked(), call));
    }

    private boolean dropped(Call call)
    {
        return calls.stream().anyMatch(other -> other.operation() instanceof Drop && other.mayTakeEffect() && other.overlaps(call.invoked(), call.responded()));
    }
}
