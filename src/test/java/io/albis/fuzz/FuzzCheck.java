package io.albis.fuzz;

import com.sun.management.ThreadMXBean;
import io.albis.format.io.AlbisDataException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The property that every input must have: a reader returns or throws {@link AlbisDataException}, and allocates little
 * memory. The fuzzer and the time limits of tests find inputs that take forever.
 */
final class FuzzCheck
{
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long MAX_ALLOCATED = 64L << 20;

    private FuzzCheck() {}

    /**
     * Reads an input, and checks the property.
     *
     * @return whether the input was accepted
     */
    static boolean read(FuzzTarget target, byte[] input)
    {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        boolean accepted = isAccepted(target, input);
        if (THREADS.getCurrentThreadAllocatedBytes() - before > MAX_ALLOCATED) {
            // Jazzer's agent may have allocated it for the classes that the input has loaded, but only once
            before = THREADS.getCurrentThreadAllocatedBytes();
            isAccepted(target, input);
            assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).as("allocated bytes for an input of %s bytes", input.length).isLessThan(MAX_ALLOCATED);
        }
        return accepted;
    }

    private static boolean isAccepted(FuzzTarget target, byte[] input)
    {
        try {
            target.read(input);
            return true;
        }
        catch (AlbisDataException e) {
            return false;
        }
        catch (UncheckedIOException e) {
            if (e.getCause() instanceof AlbisDataException) {
                return false;
            }
            throw e;
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
