package io.albis.trino.history;

import com.google.common.collect.ImmutableList;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a history is one that the documented isolation allows. It needs nothing but the history.
 */
final class Checker
{
    static final String CONFLICT = "TRANSACTION_CONFLICT";
    static final String STORAGE_FAILED = "ALBIS_FILESYSTEM_ERROR";

    /**
     * @param anomalies what must not happen; empty if all is well
     * @param operations calls of other clients than the collector
     * @param unseenVersions versions that expired, or whose table was dropped, before anybody has read them. What made
     *         them cannot be checked
     * @param besideGaps statements that write, were acknowledged, and ran at the same time as something that nobody has
     *         seen, so that some of their failures would not be found
     * @param uncheckedVersions versions whose rows, or those of the previous version, nobody has read
     */
    record Verdict(List<String> anomalies, long operations, long calls, long done, long failed, long unknown, long unknownThatTookEffect, long versions, long unseenVersions, long besideGaps, long uncheckedVersions, long conflicts, Kills kills)
    {
        Verdict
        {
            anomalies = ImmutableList.copyOf(anomalies);
        }
    }

    private Checker() {}

    static Verdict check(List<Event> events)
    {
        List<String> anomalies = new ArrayList<>();
        List<Call> calls = Call.of(events);
        Versions versions = Versions.of(calls, anomalies::add);
        Map<Call, Version> matched = Matching.match(versions, calls, anomalies::add);
        CommitTimes.check(versions, calls, Map.of(), _ -> {});
        DroppedTables dropped = new DroppedTables(versions, calls, anomalies::add);
        dropped.find();
        dropped.check(new Names(versions, calls, matched, Gaps.find(versions, calls, matched)));
        Gaps gaps = Gaps.find(versions, calls, matched);
        ReadChecks reads = new ReadChecks(versions, calls, gaps, anomalies::add);
        CommitTimes.check(versions, calls, reads.identify(), anomalies::add);
        WriteChecks writes = new WriteChecks(versions, calls, matched, gaps, anomalies::add);
        long unchecked = writes.check();
        reads.check();
        new TimeTravelChecks(versions, calls, anomalies::add).check();
        new FailureChecks(versions, events, calls, new Names(versions, calls, matched, gaps), gaps, anomalies::add).check();
        return new Verdict(
                anomalies,
                calls.stream().filter(call -> call.client() != HistoryRun.COLLECTOR).count(),
                calls.size(),
                calls.stream().filter(Call::isDone).count(),
                calls.stream().filter(call -> !call.isDone() && !call.isUnknown()).count(),
                calls.stream().filter(Call::isUnknown).count(),
                matched.keySet().stream().filter(Call::isUnknown).count(),
                versions.all().size(),
                gaps.count(),
                calls.stream().filter(call -> call.isDone() && call.operation() instanceof Write && gaps.overlap(call)).count(),
                unchecked,
                calls.stream().filter(call -> call.failedWith(CONFLICT)).count(),
                Kills.of(events));
    }
}
