package io.albis.trino.write;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.albis.table.optimize.OptimizePlan;
import io.albis.table.optimize.RewriteUnit;
import io.albis.table.version.AlbisTable;
import io.albis.trino.fragment.OptimizedUnit;
import io.albis.trino.fragment.WriteFragments;
import io.albis.trino.fragment.WrittenChanges;
import io.albis.trino.handle.RewriteHandle;

import java.util.Collection;
import java.util.List;
import java.util.Map;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

/**
 * A procedure of ALTER TABLE EXECUTE that writes row groups again and has begun. Its plan divides them into units.
 * The workers must write each unit exactly once.
 */
abstract class PendingRewrite
        extends PendingWrite
{
    private final OptimizePlan plan;

    protected PendingRewrite(AbandonedFiles abandonedFiles, AlbisTable base, OptimizePlan plan, RewriteHandle handle)
    {
        super(abandonedFiles, base.schemaName() + "." + base.tableName(), base.folder(), handle.target().writeId(), handle.retryMode());
        this.plan = requireNonNull(plan, "plan is null");
    }

    final OptimizePlan plan()
    {
        return plan;
    }

    /**
     * Returns what all units have written, in the order of the plan.
     *
     * @throws IllegalStateException if a unit is missing, occurs twice, or does not contain exactly what it must
     */
    final WrittenChanges collect(Collection<Slice> fragments)
    {
        List<OptimizedUnit> written = fragments.stream()
                .map(OptimizedUnit::decode)
                .sorted(comparingInt(OptimizedUnit::unit))
                .collect(toImmutableList());
        checkState(written.size() == plan.units().size(), "%s units of %s were written", written.size(), plan.units().size());
        ImmutableList.Builder<Slice> all = ImmutableList.builder();
        for (int i = 0; i < written.size(); i++) {
            OptimizedUnit unit = written.get(i);
            checkState(unit.unit() == i, "unit %s was written instead of unit %s", unit.unit(), i);
            checkUnit(plan.units().get(i), WriteFragments.decode(unit.fragments()));
            all.addAll(unit.fragments());
        }
        return WriteFragments.decode(all.build());
    }

    /**
     * Checks what a unit has written.
     *
     * @throws IllegalStateException if it does not contain exactly what it must
     */
    protected abstract void checkUnit(RewriteUnit unit, WrittenChanges changes);

    /**
     * Returns numbers by name, which the statement returns.
     */
    abstract Map<String, Long> metrics(WrittenChanges changes);
}
