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
import java.util.UUID;

import static io.albis.table.model.TableException.Reason.NOT_SUPPORTED;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Finds out whether a storage really creates a file only if it is absent, before anything depends on it: two commits at
 * once on one that does not are one commit, and nobody is told which. A storage that has passed is not asked again:
 * keep one of these for as long as the process runs. Safe to use from several threads.
 */
public final class StorageProbe
{
    private static final Logger log = Logger.get(StorageProbe.class);
    private static final int ATTEMPTS = 2;

    private final Set<String> proven = Sets.newConcurrentHashSet();

    /**
     * @param location of a file that is about to be created
     * @throws TableException NOT_SUPPORTED if the storage certainly cannot do it
     * @throws IOException if the storage could not be asked
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
            // A name that nobody else has or looks at, so that it can be deleted
            Location probe = location.sibling("." + UUID.randomUUID() + ".tmp");
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
        throw new TableException(NOT_SUPPORTED, ("Location %s cannot hold Albis tables: %s. Files can be made there, but no hard links. " +
                "Albis needs a local file system with hard links, such as ext4, XFS, Btrfs, APFS or NTFS").formatted(location, missing.getMessage()), missing);
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
                .orElseThrow(() -> new IOException("File %s is not there although it was created".formatted(probe)));
        if (refusal == null || Arrays.equals(content, second)) {
            throw new TableException(NOT_SUPPORTED, "Location %s cannot hold Albis tables: its storage overwrites a file that is there when it is asked to create it only if it is absent, " +
                    "and so one of two commits at the same time would be lost. Albis needs an object store that obeys If-None-Match: *, such as Amazon S3 or a recent MinIO or Ceph", probe.parentDirectory());
        }
        if (!Arrays.equals(content, first)) {
            throw new IOException("File %s has another content than was written".formatted(probe));
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
            log.warn(e, "File %s could not be deleted. Nobody needs it", probe);
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
