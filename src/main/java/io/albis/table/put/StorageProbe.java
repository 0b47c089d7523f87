package io.albis.table.put;

import com.google.common.collect.Sets;
import io.airlift.log.Logger;
import io.albis.table.model.TableException;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Checks that a storage really creates a file only if it is absent, before anything depends on it. If it does not, one
 * of two concurrent commits overwrites the other, and both are acknowledged. Each storage is checked until it passes
 * once, so keep one instance for the lifetime of the process. This class is thread-safe.
 */
public final class StorageProbe
{
    private static final Logger log = Logger.get(StorageProbe.class);
    private static final int ATTEMPTS = 2;

    private final Set<String> proven = Sets.newConcurrentHashSet();

    /**
     * Creates the same temporary file twice and checks that the storage refuses the second one.
     *
     * @param location of a file that is about to be created; the temporary file is next to it
     * @throws TableException NOT_SUPPORTED if the storage certainly does not create files exactly once
     * @throws IOException if the storage fails, so the check has no result
     */
    void check(TrinoFileSystem fileSystem, PutIfAbsent putIfAbsent, Location location)
            throws IOException
    {
        String storage = putIfAbsent.storage(location);
        if (proven.contains(storage)) {
            return;
        }
        IOException missing = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            // No other process uses or reads a file of this name, so it is safe to delete
            Location probe = location.sibling(TemporaryNames.create());
            try {
                probe(fileSystem, putIfAbsent, probe);
                proven.add(storage);
                return;
            }
            catch (MissingException e) {
                missing = e;
            }
            catch (UnsupportedOperationException e) {
                throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: %s".formatted(location, e.getMessage()), e);
            }
            finally {
                deleteQuietly(fileSystem, probe);
            }
        }
        throw new TableException(NOT_SUPPORTED, ("Location %s cannot hold Albis tables: %s. Files can be created there, but not hard links. " +
                "Albis needs a local file system with hard links, such as ext4, XFS, Btrfs, APFS, or NTFS").formatted(location, missing.getMessage()), missing);
    }

    private static void probe(TrinoFileSystem fileSystem, PutIfAbsent putIfAbsent, Location probe)
            throws IOException
    {
        byte[] first = "first".getBytes(UTF_8);
        byte[] second = "second".getBytes(UTF_8);
        put(fileSystem, putIfAbsent, probe, first);
        IOException refusal = null;
        try {
            putIfAbsent.create(probe, second);
        }
        catch (IOException e) {
            refusal = e;
        }
        byte[] content = SmallFiles.read(fileSystem, probe)
                .orElseThrow(() -> new IOException("File %s does not exist although it was created".formatted(probe)));
        if (refusal == null || Arrays.equals(content, second)) {
            throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: its storage overwrites an existing file when it is asked to create it only if it is absent, " +
                    "so one of two concurrent commits would be lost. Albis needs an object store that supports If-None-Match: *, such as Amazon S3 or a recent MinIO or Ceph", probe.parentDirectory());
        }
        if (!Arrays.equals(content, first)) {
            throw new IOException("File %s does not have the content that was written".formatted(probe));
        }
        if (!putIfAbsent.isRefusal(refusal)) {
            throw refusal;
        }
    }

    private static void put(TrinoFileSystem fileSystem, PutIfAbsent putIfAbsent, Location probe, byte[] data)
            throws IOException
    {
        try {
            putIfAbsent.create(probe, data);
        }
        catch (IOException e) {
            Optional<byte[]> content = SmallFiles.read(fileSystem, probe);
            if (content.isEmpty() && putIfAbsent.isMissing(e)) {
                throw new MissingException(e);
            }
            if (content.isEmpty() || !Arrays.equals(content.get(), data)) {
                throw e;
            }
        }
    }

    private static void deleteQuietly(TrinoFileSystem fileSystem, Location probe)
    {
        try {
            fileSystem.deleteFile(probe);
        }
        catch (IOException | RuntimeException e) {
            log.warn(e, "Cannot delete temporary file %s. It is not needed and can be deleted manually", probe);
        }
    }

    private static final class MissingException
            extends IOException
    {
        private MissingException(IOException cause)
        {
            super(cause.getMessage(), cause);
        }
    }
}
