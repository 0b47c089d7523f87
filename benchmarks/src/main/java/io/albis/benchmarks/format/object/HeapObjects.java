package io.albis.benchmarks.format.object;

import javax.management.JMException;
import javax.management.ObjectName;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkState;

/**
 * Counts the objects of the heap, whether they are still used or not.
 */
final class HeapObjects
{
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+(\\d+)\\s+\\d+\\s*$");

    private HeapObjects() {}

    /**
     * Something that creates objects.
     */
    interface Work
    {
        void run()
                throws Exception;
    }

    /**
     * Returns the number of objects that some work creates. It must create less than what fits into the heap without a
     * garbage collection.
     *
     * @throws IllegalStateException if the garbage collector ran meanwhile
     */
    static long created(Work work)
            throws Exception
    {
        // Loads the classes of the count
        count();
        System.gc();
        long collections = collections();
        long before = count();
        // The objects of the count itself
        long overhead = count() - before;
        long start = count();
        work.run();
        long created = count() - start - overhead;
        checkState(collections() == collections, "The garbage collector ran. Read fewer rows, or use a larger heap");
        return created;
    }

    private static long count()
    {
        try {
            String histogram = (String) ManagementFactory.getPlatformMBeanServer().invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "gcClassHistogram",
                    // Without this option, the garbage collector runs first
                    new Object[] {new String[] {"-all"}},
                    new String[] {String[].class.getName()});
            Matcher matcher = TOTAL.matcher(histogram);
            checkState(matcher.find(), "the histogram has no total");
            return Long.parseLong(matcher.group(1));
        }
        catch (JMException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long collections()
    {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
