package io.albis.table.put;

import io.albis.table.model.TableException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Creates files that several writers may want to create, and says for certain whose file it became.
 */
public final class ExclusiveFiles
{
    private final TrinoFileSystem fileSystem;
    private final PutIfAbsentSelector putIfAbsent;
    private final Optional<StorageProbe> probe;
    private final CommitPolicy policy;

    public ExclusiveFiles(TrinoFileSystem fileSystem, PutIfAbsentSelector putIfAbsent, CommitPolicy policy)
    {
        this(fileSystem, putIfAbsent, Optional.empty(), policy);
    }

    /**
     * @param probe empty if the storage is known to create files exactly once
     */
    public ExclusiveFiles(TrinoFileSystem fileSystem, PutIfAbsentSelector putIfAbsent, Optional<StorageProbe> probe, CommitPolicy policy)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.probe = requireNonNull(probe, "probe is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * @param data differs from what any other writer would put there, as it has a random id in it
     * @return whether the file has this content; if not, it has another
     * @throws IOException if the file is not there and will not be
     * @throws TableException OUTCOME_UNKNOWN; NOT_SUPPORTED, also for a file that nobody could read
     */
    public boolean create(Location location, byte[] data)
            throws IOException
    {
        if (data.length > SmallFiles.MAX_LENGTH) {
            throw new TableException(NOT_SUPPORTED, "File %s would have %s bytes, and up to %s are allowed: shorten comments or properties", location, data.length, SmallFiles.MAX_LENGTH);
        }
        PutIfAbsent strategy = putIfAbsent.select(location);
        check(strategy, location);
        IOException failure = null;
        // Whether no attempt so far can have put the file, now or later
        boolean absent = true;
        for (int attempt = 1; attempt <= policy.putAttempts(); attempt++) {
            try {
                strategy.create(location, data);
                makeDurable(strategy, location);
                return true;
            }
            catch (UnsupportedOperationException e) {
                if (!absent) {
                    break;
                }
                throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: %s".formatted(location, e.getMessage()), e);
            }
            catch (IOException e) {
                failure = failure == null ? e : failure;
                // Whatever it was, also "already exists": an earlier try of this one, here or in a client library that
                // tries again by itself, may have put the file
                Optional<Optional<byte[]>> found = tryRead(location, failure);
                if (found.isPresent() && found.get().isPresent()) {
                    if (!Arrays.equals(found.get().get(), data)) {
                        return false;
                    }
                    makeDurable(strategy, location);
                    return true;
                }
                // Nothing else is certain: that a client will not try again says nothing about what it has sent
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

    /**
     * Asks a storage that was not asked yet what it does with the second of two files of one name.
     *
     * @throws IOException if it does not answer; nothing was created
     */
    public void check(Location location)
            throws IOException
    {
        check(putIfAbsent.select(location), location);
    }

    private void check(PutIfAbsent strategy, Location location)
            throws IOException
    {
        if (probe.isPresent()) {
            probe.get().check(fileSystem, strategy, location);
        }
    }

    /**
     * Makes sure that a file that somebody has put is there after a power failure too. That it can be seen does not say so.
     */
    public void forceExisting(Location location)
            throws IOException
    {
        putIfAbsent.select(location).makeDurable(location);
    }

    /**
     * The file is there, so this is no failure of which one could say that nothing has happened.
     */
    private static void makeDurable(PutIfAbsent strategy, Location location)
    {
        try {
            strategy.makeDurable(location);
        }
        catch (IOException | RuntimeException e) {
            throw new TableException(OUTCOME_UNKNOWN, "File %s is there, but it is not known whether it is there after a power failure".formatted(location), e);
        }
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
