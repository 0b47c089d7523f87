package io.albis.benchmarks.plan;

import static java.util.Objects.requireNonNull;

/**
 * An operator without what depends on the connector, such as the names of symbols.
 *
 * @param aspect what differs if only one of two plans has this operator
 * @param what the operator and the tables below it, by which it is found in another plan
 * @param distribution distribution of a join, or an empty text
 * @param rows estimated number of rows that it returns; NaN if it is unknown
 * @param depth number of operators above it
 */
public record PlanOperator(Aspect aspect, String what, String distribution, double rows, int depth)
{
    public PlanOperator
    {
        requireNonNull(aspect, "aspect is null");
        requireNonNull(what, "what is null");
        requireNonNull(distribution, "distribution is null");
    }
}
