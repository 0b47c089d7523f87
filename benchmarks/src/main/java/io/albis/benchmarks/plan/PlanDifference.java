package io.albis.benchmarks.plan;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.ListMultimap;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import static com.google.common.base.Preconditions.checkArgument;
import static io.albis.benchmarks.plan.Aspect.ESTIMATED_ROWS;
import static io.albis.benchmarks.plan.Aspect.JOIN_DISTRIBUTION;

/**
 * In what two plans of the same query differ. An operator of one plan is found in the other one by its kind and the
 * tables below it. A different join order therefore does not hide that the plans also aggregate elsewhere.
 *
 * @param lines a description for a reader of each difference, by what differs
 */
public record PlanDifference(ListMultimap<Aspect, String> lines)
{
    public PlanDifference
    {
        lines = ImmutableListMultimap.copyOf(lines);
    }

    /**
     * Compares two plans.
     *
     * @param name catalog of the first plan
     * @param otherName catalog of the second plan
     * @param factor estimates differ if one is more than this many times the other one, or if only one is known
     */
    public static PlanDifference of(NormalizedPlan plan, String name, NormalizedPlan other, String otherName, double factor)
    {
        checkArgument(factor >= 1, "factor is below 1: %s", factor);
        ListMultimap<String, PlanOperator> first = byWhat(plan);
        ListMultimap<String, PlanOperator> second = byWhat(other);
        Set<String> all = new LinkedHashSet<>(first.keySet());
        all.addAll(second.keySet());
        SetMultimap<Aspect, String> lines = LinkedHashMultimap.create();
        for (String what : all) {
            List<PlanOperator> ours = first.get(what);
            List<PlanOperator> theirs = second.get(what);
            if (ours.size() != theirs.size()) {
                PlanOperator any = ours.isEmpty() ? theirs.getFirst() : ours.getFirst();
                lines.put(any.aspect(), "%s: %s in %s, %s in %s".formatted(what, ours.size(), name, theirs.size(), otherName));
            }
            for (int index = 0; index < Math.min(ours.size(), theirs.size()); index++) {
                PlanOperator our = ours.get(index);
                PlanOperator their = theirs.get(index);
                if (!our.distribution().equals(their.distribution())) {
                    lines.put(JOIN_DISTRIBUTION, "%s: %s in %s, %s in %s".formatted(what, our.distribution(), name, their.distribution(), otherName));
                }
                if (areDifferent(our.rows(), their.rows(), factor)) {
                    lines.put(ESTIMATED_ROWS, "%s: %s in %s, %s in %s".formatted(what, NormalizedPlan.formatRows(our.rows()), name, NormalizedPlan.formatRows(their.rows()), otherName));
                }
            }
        }
        ListMultimap<Aspect, String> sorted = MultimapBuilder.enumKeys(Aspect.class).arrayListValues().build();
        sorted.putAll(lines);
        return new PlanDifference(sorted);
    }

    /**
     * Returns whether the engine runs other operators.
     */
    public boolean isOfOperators()
    {
        return lines.keySet().stream().anyMatch(Aspect::isOfOperators);
    }

    private static ListMultimap<String, PlanOperator> byWhat(NormalizedPlan plan)
    {
        ListMultimap<String, PlanOperator> operators = MultimapBuilder.linkedHashKeys().arrayListValues().build();
        plan.operators().forEach(operator -> operators.put(operator.what(), operator));
        return operators;
    }

    private static boolean areDifferent(double rows, double other, double factor)
    {
        if (Double.isNaN(rows) || Double.isNaN(other)) {
            return Double.isNaN(rows) != Double.isNaN(other);
        }
        // Whether there is one row or none does not matter
        double least = Math.max(1, Math.min(rows, other));
        double most = Math.max(1, Math.max(rows, other));
        return most > factor * least;
    }
}
