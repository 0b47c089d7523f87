package io.albis.table;

import io.albis.filesystem.CountingFileSystem;
import io.albis.format.io.AlbisDataException;
import io.albis.table.HookedFileSystem.Hook;
import io.albis.table.HookedFileSystem.Operation;
import io.albis.table.model.TableException;
import io.trino.filesystem.memory.MemoryFileSystem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

import static io.albis.table.TableFixtures.ROOT;
import static io.albis.table.TableFixtures.files;
import static io.albis.table.TableFixtures.warehouse;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static io.trino.testing.assertions.Assert.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Runs an operation with every fault of the storage: at each single operation, at two in a row, and at all from one on,
 * before or after it took effect.
 */
final class StorageFaults
{
    private StorageFaults() {}

    enum Outcome
    {
        SUCCESS, FAILURE, UNKNOWN;

        void check(boolean done)
        {
            if (this != UNKNOWN) {
                assertThat(done).as("outcome was told as %s", this).isEqualTo(this == SUCCESS);
            }
        }
    }

    interface Preparation
    {
        /**
         * Returns new storage with a warehouse.
         */
        MemoryFileSystem prepare()
                throws IOException;
    }

    interface Check
    {
        void check(Warehouse warehouse, Outcome outcome)
                throws IOException;
    }

    static void everyFault(Preparation preparation, Consumer<Warehouse> operation, Check check)
            throws IOException
    {
        for (boolean afterwards : new boolean[] {false, true}) {
            for (int faults : new int[] {1, 2, Integer.MAX_VALUE}) {
                for (boolean unchecked : new boolean[] {false, true}) {
                    int position = 0;
                    while (oneFault(preparation, new Fault(position, faults, afterwards, unchecked), operation, check)) {
                        position++;
                    }
                    assertThat(position).isPositive();
                }
            }
        }
    }

    /**
     * @return whether the operation reached the fault
     */
    private static boolean oneFault(Preparation preparation, Fault fault, Consumer<Warehouse> operation, Check check)
            throws IOException
    {
        MemoryFileSystem fileSystem = preparation.prepare();
        CountingFileSystem.Counter counter = new CountingFileSystem.Counter();
        Warehouse faulty = warehouse(new CountingFileSystem(new HookedFileSystem(fileSystem, fault), counter));
        Outcome outcome = Outcome.SUCCESS;
        try {
            operation.accept(faulty);
        }
        catch (TableException e) {
            if (e.reason() != OUTCOME_UNKNOWN) {
                fail("%s: %s", fault, e);
            }
            outcome = Outcome.UNKNOWN;
        }
        catch (UncheckedIOException e) {
            assertThat(e.getCause()).isNotInstanceOf(AlbisDataException.class);
            // A dead process reports no outcome, and it may have put a name before it died
            outcome = fault.faults == Integer.MAX_VALUE ? Outcome.UNKNOWN : Outcome.FAILURE;
        }
        if (!counter.open().isEmpty()) {
            // Other threads may still be reading
            assertEventually(() -> assertThat(counter.open()).as("open after %s", fault).isEmpty());
        }
        try {
            check.check(warehouse(fileSystem), outcome);
        }
        catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(fault + ", files: " + files(fileSystem, ROOT).keySet(), e);
        }
        return fault.reached();
    }

    private static final class Fault
            implements Hook
    {
        private final int position;
        private final int faults;
        private final boolean afterwards;
        // Whether to throw unchecked exceptions, as the clients of object stores do
        private final boolean unchecked;

        private int operations;
        private String where = "nowhere";

        private Fault(int position, int faults, boolean afterwards, boolean unchecked)
        {
            this.position = position;
            this.faults = faults;
            this.afterwards = afterwards;
            this.unchecked = unchecked;
        }

        @Override
        public void before(Operation operation)
                throws IOException
        {
            operations++;
            if (!afterwards) {
                strike(operation);
            }
            else if (operations - 1 - position > 0 && isStruck()) {
                // A dead process runs no more operations
                strike(operation);
            }
        }

        @Override
        public void after(Operation operation)
                throws IOException
        {
            if (afterwards) {
                strike(operation);
            }
        }

        private boolean isStruck()
        {
            int index = operations - 1;
            return index >= position && (long) index < (long) position + faults;
        }

        private void strike(Operation operation)
                throws IOException
        {
            if (isStruck()) {
                where = where.equals("nowhere") ? operation.kind() + " " + operation.location() : where;
                if (unchecked) {
                    throw new IllegalStateException("The client of the storage fails at operation " + (operations - 1));
                }
                throw new IOException("Storage fails at operation " + (operations - 1));
            }
        }

        boolean reached()
        {
            return operations > position;
        }

        @Override
        public String toString()
        {
            return "%s faults (%s) %s operation %s: %s".formatted(faults, unchecked ? "unchecked" : "IOException", afterwards ? "after" : "before", position, where);
        }
    }
}
