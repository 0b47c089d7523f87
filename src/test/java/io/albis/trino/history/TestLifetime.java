package io.albis.trino.history;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestLifetime
{
    private static final int CLIENTS = 3;
    private static final int KILLS = 40;

    @Test
    void testEnd()
            throws Exception
    {
        AtomicInteger calls = new AtomicInteger();
        Lifetime lifetime = new Lifetime();
        assertThat(lifetime.read(calls::incrementAndGet)).isEqualTo(1);
        assertThat(lifetime.change(calls::incrementAndGet)).isEqualTo(2);
        assertThat(lifetime.hasEnded()).isFalse();
        // Nothing changes, and the kill does not wait for it
        lifetime.end(new Random(1));
        assertThat(lifetime.hasEnded()).isTrue();
        assertThatThrownBy(() -> lifetime.read(calls::incrementAndGet)).isInstanceOf(IOException.class).hasMessage("The server was killed");
        assertThatThrownBy(() -> lifetime.change(calls::incrementAndGet)).isInstanceOf(IOException.class).hasMessage("The server was killed");
        assertThat(calls).hasValue(2);
    }

    /**
     * Threads make changes until the server is killed. Each knows of all its changes but perhaps the last one.
     */
    @Test
    void testChangesInFlight()
            throws Exception
    {
        long seed = System.nanoTime();
        System.out.println("Changes in flight by seed " + seed);
        Random random = new Random(seed);
        int executed = 0;
        int lost = 0;
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            for (int kill = 0; kill < KILLS; kill++) {
                Lifetime lifetime = new Lifetime();
                List<AtomicInteger> changes = new ArrayList<>();
                List<Future<Integer>> acknowledged = new ArrayList<>();
                for (int client = 0; client < CLIENTS; client++) {
                    AtomicInteger counter = new AtomicInteger();
                    changes.add(counter);
                    acknowledged.add(executor.submit(() -> change(lifetime, counter)));
                }
                while (changes.stream().anyMatch(counter -> counter.get() == 0)) {
                    Thread.onSpinWait();
                }
                lifetime.end(random);
                List<Integer> atEnd = changes.stream().map(AtomicInteger::get).toList();
                for (int client = 0; client < CLIENTS; client++) {
                    int unknown = atEnd.get(client) - acknowledged.get(client).get();
                    assertThat(unknown).isBetween(0, 1);
                    executed += unknown;
                    lost += 1 - unknown;
                }
                assertThat(changes.stream().map(AtomicInteger::get)).isEqualTo(atEnd);
            }
        }
        // Both have a share of about half, of all kills and clients
        assertThat(executed).isGreaterThan(KILLS * CLIENTS / 10);
        assertThat(lost).isGreaterThan(KILLS * CLIENTS / 10);
    }

    /**
     * @return the changes whose results came back
     */
    private static int change(Lifetime lifetime, AtomicInteger counter)
    {
        int acknowledged = 0;
        try {
            while (true) {
                assertThat(lifetime.change(counter::incrementAndGet)).isEqualTo(acknowledged + 1);
                acknowledged++;
            }
        }
        catch (IOException e) {
            // The client must not learn of it before
            assertThat(lifetime.hasEnded()).isTrue();
            return acknowledged;
        }
    }

    /**
     * One change waits for the kill, and nobody gets its result.
     */
    @Test
    void testHeldChange()
            throws Exception
    {
        for (boolean executed : new boolean[] {false, true}) {
            AtomicInteger counter = new AtomicInteger();
            Lifetime lifetime = new Lifetime();
            lifetime.hold(3, executed);
            try (ExecutorService executor = Executors.newCachedThreadPool()) {
                Future<Integer> acknowledged = executor.submit(() -> change(lifetime, counter));
                while (!lifetime.isHolding()) {
                    Thread.onSpinWait();
                }
                lifetime.end(new Random(1));
                assertThat(acknowledged.get()).isEqualTo(2);
                assertThat(counter).hasValue(executed ? 3 : 2);
            }
        }
    }

    /**
     * A thread that is interrupted in the middle of a change does not report a failure before the end.
     */
    @Test
    void testInterruption()
            throws Exception
    {
        for (int seed = 0; seed < 10; seed++) {
            Lifetime lifetime = new Lifetime();
            AtomicInteger counter = new AtomicInteger();
            Thread client = Thread.ofPlatform().start(() -> {
                change(lifetime, counter);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                counter.set(-1);
            });
            while (counter.get() == 0) {
                Thread.onSpinWait();
            }
            client.interrupt();
            lifetime.end(new Random(seed));
            client.join();
            assertThat(counter).hasValue(-1);
        }
    }
}
