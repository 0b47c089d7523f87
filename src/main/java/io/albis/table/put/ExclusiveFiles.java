package io.albis.table.put;

import io.albis.table.model.TableException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static io.albis.table.model.TableException.Reason.OUTCOME_UNKNOWN;
import static java.util.Objects.requireNonNull;

/**
 * Creates files that several writers may try to create at the same time, and reports reliably which writer succeeded.
 * Every commit depends on this class.
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
     * Creates an object that checks each storage with a probe, if there is one.
     *
     * @param probe checks each storage before its first use; empty if the storage is known to create files exactly once
     */
    public ExclusiveFiles(TrinoFileSystem fileSystem, PutIfAbsentSelector putIfAbsent, Optional<StorageProbe> probe, CommitPolicy policy)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.putIfAbsent = requireNonNull(putIfAbsent, "putIfAbsent is null");
        this.probe = requireNonNull(probe, "probe is null");
        this.policy = requireNonNull(policy, "policy is null");
    }

    /**
     * Creates a file unless it exists, and retries when the storage fails.
     *
     * @param data content of the file, which contains a random id and therefore differs from that of any other writer
     * @return true if the file has this content; false if another writer created it first
     * @throws IOException if this call did not create the file, and none of its requests can create it later
     * @throws TableException OUTCOME_UNKNOWN if the file may exist now or later; NOT_SUPPORTED if the storage cannot
     *         create files exactly once, or if the content is too long to be read again
     */
    public boolean create(Location location, byte[] data)
            throws IOException
    {
        return create(location, data, _ -> false);
    }

    /**
     * As {@link #create(Location, byte[])}, for a file that may be overwritten after it was created.
     *
     * @param replaces whether a file with other content has replaced the file that this call creates; throws a
     *         TableException if that is unknown
     */
    public boolean create(Location location, byte[] data, Predicate<byte[]> replaces)
            throws IOException
    {
        if (data.length > SmallFiles.MAX_LENGTH) {
            throw new TableException(NOT_SUPPORTED, "File %s would have %s bytes, but at most %s bytes are allowed: shorten comments or properties", location, data.length, SmallFiles.MAX_LENGTH);
        }
        PutIfAbsent strategy = putIfAbsent.select(location);
        check(strategy, location);
        IOException failure = null;
        // True while no attempt so far can have created the file or can create it later
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
                // Read the file after every failure, including "already exists": an earlier attempt, made here or by a
                // client library that retries by itself, may have created the file
                Optional<Optional<byte[]>> found = tryRead(location, failure);
                if (found.isPresent() && found.get().isPresent()) {
                    if (!Arrays.equals(found.get().get(), data)) {
                        return replaces.test(found.get().get());
                    }
                    makeDurable(strategy, location);
                    return true;
                }
                // Any other failure proves nothing: a client that gives up may already have sent a request
                absent &= e instanceof NotPutException;
                // An earlier request may still arrive and create the file. Its content is the same, so another attempt
                // does no harm
                if (!backOff(attempt)) {
                    break;
                }
            }
        }
        if (absent) {
            throw failure;
        }
        throw new TableException(OUTCOME_UNKNOWN, "The storage failed while file %s was written, and it is unknown whether the file exists".formatted(location), failure);
    }

    /**
     * Creates a file that decides nothing, such as a marker, unless it exists, and ensures in either case that it
     * survives a power failure.
     *
     * @throws IOException if the storage failed. The outcome of the statement is known, because the file has no effect
     * @throws TableException NOT_SUPPORTED
     */
    public void createMarker(Location location, byte[] data)
            throws IOException
    {
        try {
            if (!create(location, data)) {
                forceExisting(location);
            }
        }
        catch (TableException e) {
            if (e.reason() == OUTCOME_UNKNOWN) {
                throw new IOException(e.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Checks that the storage refuses to create the same file twice, unless this was checked before.
     *
     * @throws TableException NOT_SUPPORTED if the storage does not refuse it
     * @throws IOException if the storage fails; nothing depends on the check yet
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
     * Ensures that an existing file survives a power failure. Another process may have created it, and a visible file
     * is not necessarily durable.
     */
    public void forceExisting(Location location)
            throws IOException
    {
        putIfAbsent.select(location).makeDurable(location);
    }

    /**
     * Makes a file durable that this call has created. The file already exists, so a failure leaves the outcome
     * unknown.
     */
    private static void makeDurable(PutIfAbsent strategy, Location location)
    {
        try {
            strategy.makeDurable(location);
        }
        catch (IOException | RuntimeException e) {
            throw new TableException(OUTCOME_UNKNOWN, "File %s was created, but it is unknown whether it survives a power failure".formatted(location), e);
        }
    }

    /**
     * Reads a file, and adds a failure of the storage to an earlier failure.
     *
     * @return empty if the storage fails; an empty inner value if the file does not exist
     */
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
     * Waits before the next attempt.
     *
     * @return whether to try again; false if the thread was interrupted
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
