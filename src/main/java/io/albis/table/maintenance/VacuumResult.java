package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;

import java.util.List;

/**
 * The files that a vacuum has deleted.
 */
public record VacuumResult(List<VacuumCandidate> freed)
{
    public VacuumResult
    {
        freed = ImmutableList.copyOf(freed);
    }

    public long files()
    {
        return freed.stream().mapToLong(VacuumCandidate::files).sum();
    }

    public long bytes()
    {
        return freed.stream().mapToLong(VacuumCandidate::bytes).sum();
    }
}
