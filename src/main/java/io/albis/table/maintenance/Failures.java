package io.albis.table.maintenance;

import io.albis.table.model.TableException;
import io.albis.table.put.StorageCalls.StorageCall;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Throwables.throwIfInstanceOf;
import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.albis.table.put.Interruptions.isInterrupted;

/**
 * The failures of a run that goes on after a failure. It stops if it is canceled, and after many failures.
 */
final class Failures
{
    // After so many failures, the storage as a whole probably fails
    private static final int MAX = 10;

    private final List<Exception> failures = new ArrayList<>();

    /**
     * Runs a call, and adds its failure.
     *
     * @return the result; empty if the call fails
     * @throws IOException if the run stops
     * @throws TableException if the run stops
     */
    <T> Optional<T> tryCall(StorageCall<T> call)
            throws IOException
    {
        try {
            return Optional.of(call.call());
        }
        catch (IOException | TableException e) {
            add(e);
            return Optional.empty();
        }
    }

    /**
     * Adds a failure.
     *
     * @throws IOException if the run stops
     * @throws TableException if the run stops
     */
    void add(Exception failure)
            throws IOException
    {
        if (isInterrupted(failure)) {
            throw rethrow(failure);
        }
        failures.add(failure);
        if (failures.size() == MAX) {
            throwFirst();
        }
    }

    /**
     * Throws the first failure, to which the others are added, if there is one.
     */
    void throwFirst()
            throws IOException
    {
        if (failures.isEmpty()) {
            return;
        }
        Exception first = failures.getFirst();
        for (Exception other : failures) {
            if (other != first) {
                first.addSuppressed(other);
            }
        }
        throw rethrow(first);
    }

    private static AssertionError rethrow(Exception failure)
            throws IOException
    {
        throwIfInstanceOf(failure, IOException.class);
        throwIfUnchecked(failure);
        throw new AssertionError(failure);
    }
}
