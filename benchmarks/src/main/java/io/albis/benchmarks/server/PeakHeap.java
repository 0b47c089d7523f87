package io.albis.benchmarks.server;

import com.sun.management.GarbageCollectionNotificationInfo;

import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.sun.management.GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION;

/**
 * Measures the largest heap size after a garbage collection.
 */
class PeakHeap
{
    private final Set<String> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(toImmutableSet());
    private final AtomicLong peak = new AtomicLong();

    public PeakHeap()
    {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener((notification, _) -> update(notification), null, null);
        }
    }

    public void reset()
    {
        peak.set(0);
    }

    /**
     * Returns the largest heap size after a garbage collection.
     *
     * @return size in bytes, or zero if there was no garbage collection since the reset
     */
    public long bytes()
    {
        return peak.get();
    }

    private void update(Notification notification)
    {
        if (!notification.getType().equals(GARBAGE_COLLECTION_NOTIFICATION)) {
            return;
        }
        long used = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                .getGcInfo()
                .getMemoryUsageAfterGc()
                .entrySet().stream()
                .filter(entry -> heapPools.contains(entry.getKey()))
                .mapToLong(entry -> entry.getValue().getUsed())
                .sum();
        peak.accumulateAndGet(used, Math::max);
    }
}
