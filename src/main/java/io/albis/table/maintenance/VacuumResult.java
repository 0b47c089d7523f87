package io.albis.table.maintenance;

import com.google.common.collect.ImmutableList;

import java.util.List;

/**
 * What a vacuum has freed.
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
