package io.albis.table;

import io.trino.filesystem.FileMayHaveAlreadyExistedException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static io.albis.table.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Creates files that several writers may want to create, and says for certain whose file it became.
 */
final class ExclusiveFiles
{
    private final TrinoFileSystem fileSystem;
    private final PutIfAbsentSelector putIfAbsent;
    private final CommitPolicy policy;

    ExclusiveFiles(TrinoFileSystem fileSystem, PutIfAbsentSelector putIfAbsent, CommitPolicy policy)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * @param data differs from what any other writer would put there, as it has a random id in it
     * @return whether the file has this content; if not, it has another
     * @throws IOException if the file is not there and will not be
     * @throws TableException OUTCOME_UNKNOWN, NOT_SUPPORTED
     */
    boolean create(Location location, byte[] data)
            throws IOException
    {
        PutIfAbsent strategy = putIfAbsent.select(location);
        IOException failure = null;
        // Whether no attempt so far can have put the file, now or later
        boolean absent = true;
        for (int attempt = 1; attempt <= policy.putAttempts(); attempt++) {
            try {
                strategy.create(location, data);
                return true;
            }
            catch (UnsupportedOperationException e) {
                throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: %s".formatted(location, e.getMessage()), e);
            }
            catch (IOException e) {
                failure = failure == null ? e : failure;
                // Whatever it was, also "already exists": an earlier try of this one, here or in a client library that
                // tries again by itself, may have put the file
                Optional<Optional<byte[]>> found = tryRead(location, failure);
                if (found.isPresent() && found.get().isPresent()) {
                    return Arrays.equals(found.get().get(), data);
                }
                if (absent && found.isPresent() && isCertain(e)) {
                    throw e;
                }
                absent &= e instanceof NotPutException;
                // A put that is still on its way may create the file later. It would be this same content, and putting
                // it once more does not make it worse
                if (!backOff(attempt)) {
                    break;
                }
            }
        }
        if (absent) {
            throw failure;
        }
        throw new TableException(OUTCOME_UNKNOWN, "The storage failed while %s was written: it is not known whether it is there".formatted(location), failure);
    }

    private static boolean isCertain(IOException e)
    {
        return TrinoFileSystem.isUnrecoverableException(e) && !(e instanceof FileMayHaveAlreadyExistedException);
    }

    private Optional<Optional<byte[]>> tryRead(Location location, IOException failure)
    {
        try {
            return Optional.of(SmallFiles.read(fileSystem, location));
        }
        catch (IOException e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return Optional.empty();
        }
    }

    /**
     * @return whether to go on
     */
    private boolean backOff(int attempt)
    {
        try {
            policy.backOff(attempt);
            return true;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
