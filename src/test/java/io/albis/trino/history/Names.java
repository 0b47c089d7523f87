package io.albis.trino.history;

import io.albis.trino.history.Naming.Drop;
import io.albis.trino.history.Naming.Rename;
import io.albis.trino.history.Naming.Unregister;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * Finds the table that certainly had a name for some time.
 */
final class Names
{
    private final Versions versions;
    private final List<Call> calls;
    private final Map<Call, Version> matched;
    private final Gaps gaps;

    Names(Versions versions, List<Call> calls, Map<Call, Version> matched, Gaps gaps)
    {
        this.versions = versions;
        this.calls = calls;
        this.matched = matched;
        this.gaps = gaps;
    }

    /**
     * Returns the table that had a name from the invocation to the response of a call.
     */
    Optional<String> table(String name, Call call)
    {
        for (NavigableMap<Long, Version> chain : versions.chains()) {
            if (had(chain, name, call)) {
                return Optional.of(chain.firstEntry().getValue().table);
            }
        }
        return Optional.empty();
    }

    private boolean had(NavigableMap<Long, Version> chain, String name, Call call)
    {
        Version named = null;
        for (Version version : chain.values()) {
            boolean has = name.equals(version.name);
            if (has && named == null) {
                named = version;
            }
            else if (!has && named != null) {
                if (named.latest <= call.invoked() && version.earliest >= call.responded()) {
                    return !gaps.overlap(version.table, call.invoked(), call.responded());
                }
                named = null;
            }
        }
        return named != null
                && named.latest <= call.invoked()
                && versions.drop(named.table).map(Versions.Drop::from).orElse(Call.NEVER) >= call.responded()
                && !gaps.overlap(named.table, call.invoked(), call.responded())
                && !mayLoseName(name, named.earliest, call);
    }

    /**
     * Returns whether another statement may have taken the name away, which no version shows.
     */
    private boolean mayLoseName(String name, long from, Call except)
    {
        return calls.stream().anyMatch(call -> call.number() != except.number()
                && (call.operation() instanceof Rename || call.operation() instanceof Drop || call.operation() instanceof Unregister)
                && call.operation().table().equals(name)
                && call.mayTakeEffect()
                && !matched.containsKey(call)
                && call.overlaps(from, except.responded()));
    }
}
