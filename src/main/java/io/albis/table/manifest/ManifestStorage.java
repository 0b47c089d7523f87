package io.albis.table.manifest;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.albis.format.io.AlbisDataException;
import io.albis.format.io.Decoding;
import io.albis.format.io.FileFrame;
import io.albis.format.io.FileKind;
import io.albis.format.io.OutputFiles;
import io.albis.table.manifest.ConcurrentReads.ReadCall;
import io.albis.table.manifest.ManifestPieces.Piece;
import io.albis.table.manifest.ManifestSource.ManifestFile;
import io.albis.table.model.ManifestEntry;
import io.albis.table.model.TableRows;
import io.albis.table.model.TableVersion;
import io.albis.table.path.TablePaths;
import io.albis.table.sketch.ColumnSketches;
import io.trino.filesystem.Location;
import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.TrinoInputStream;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import static io.albis.format.io.AlbisDataException.damaged;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/**
 * Reads and writes the manifests of one table, which are files that list row groups. The row groups of one commit may
 * need several manifests.
 */
public final class ManifestStorage
{
    private static final int DIRECT_READ_LENGTH = 8 << 20;

    private final TrinoFileSystem fileSystem;
    private final TablePaths paths;
    private final UUID uuid;
    private final ManifestOptions options;

    public ManifestStorage(TrinoFileSystem fileSystem, TablePaths paths, UUID uuid, ManifestOptions options)
    {
        this.fileSystem = requireNonNull(fileSystem, "fileSystem is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.uuid = requireNonNull(uuid, "uuid is null");
        this.options = requireNonNull(options, "options is null");
    }

    public ManifestOptions options()
    {
        return options;
    }

    /**
     * Writes as many manifests as the row groups need. If this fails, it deletes those it has written.
     *
     * @param version a version with the columns of the table
     * @param content at least one row group
     * @throws TableException NOT_SUPPORTED if the entry of a row group is too large for a manifest
     */
    public List<NewManifest> write(TableVersion version, TableRows content)
            throws IOException
    {
        List<NewManifest> written = new ArrayList<>();
        List<UUID> ids = new ArrayList<>();
        try {
            ManifestPieces pieces = new ManifestPieces(version, content, options);
            while (pieces.hasNext()) {
                UUID id = UUID.randomUUID();
                ids.add(id);
                // The first piece has the sketches of all of them
                Optional<UUID> sketches = written.isEmpty() ? Optional.empty() : Optional.of(written.getFirst().id());
                written.add(write(id, pieces.next(), sketches));
            }
        }
        catch (IOException | RuntimeException e) {
            ids.forEach(this::deleteQuietly);
            throw e;
        }
        return ImmutableList.copyOf(written);
    }

    private NewManifest write(UUID id, Piece piece, Optional<UUID> sketchManifest)
            throws IOException
    {
        Slice file = FileFrame.frame(FileKind.MANIFEST, id, piece.body());
        try (OutputStream output = OutputFiles.create(fileSystem, paths.manifest(id))) {
            output.write(file.byteArray(), file.byteArrayOffset(), file.length());
        }
        return new NewManifest(id, file.length(), piece.withoutBody(), sketchManifest);
    }

    /**
     * Reads manifests.
     *
     * @return the content of each manifest, in the order of the entries
     * @throws AlbisDataException if a manifest is missing or damaged
     */
    public List<TableRows> readAll(List<ManifestEntry> entries)
            throws IOException
    {
        ImmutableList.Builder<ReadCall<TableRows>> reads = ImmutableList.builder();
        for (ManifestEntry entry : entries) {
            reads.add(() -> read(entry));
        }
        return options.source().callAll(reads.build());
    }

    /**
     * Reads manifests with the row groups that the version has removed from them, so that the index of a row group in
     * the result is that in the file.
     *
     * @return the content of each manifest, in the order of the entries
     * @throws io.albis.format.io.AlbisDataException if a manifest is missing or damaged
     */
    public List<TableRows> readWithRemoved(List<ManifestEntry> entries)
            throws IOException
    {
        ImmutableList.Builder<ReadCall<TableRows>> reads = ImmutableList.builder();
        for (ManifestEntry entry : entries) {
            reads.add(() -> readFile(entry).content());
        }
        return options.source().callAll(reads.build());
    }

    /**
     * Returns the sketches of all row groups of a version, without those that have no values.
     *
     * @param contents contents of the manifests of the version
     */
    public ColumnSketches sketches(TableVersion version, List<TableRows> contents)
    {
        return options.source().getSketches(paths.folder(), version.commitId(), () -> TableRows.mergeSketches(contents).withValues());
    }

    /**
     * Reads one manifest without the row groups that the version has removed from it.
     *
     * @throws io.albis.format.io.AlbisDataException if the file is missing or damaged, or differs from the entry
     */
    TableRows read(ManifestEntry entry)
            throws IOException
    {
        return readFile(entry).without(entry.removed());
    }

    private Manifest readFile(ManifestEntry entry)
            throws IOException
    {
        Location location = paths.manifest(entry.id());
        if (entry.length() > options.maxLength()) {
            throw damaged("Damaged Albis file %s: its length is %s bytes according to the table version, but can be at most %s bytes", location, entry.length(), options.maxLength());
        }
        Manifest manifest = options.source().get(location, new ManifestFile()
        {
            @Override
            public Manifest read()
                    throws IOException
            {
                return readFile(location, entry);
            }

            @Override
            public void checkReadable()
                    throws IOException
            {
                checkFile(location);
            }
        });
        manifest.check(location, uuid, entry);
        return manifest;
    }

    /**
     * Deletes a manifest to which no version refers. Failures are ignored.
     */
    public void deleteQuietly(NewManifest manifest)
    {
        deleteQuietly(manifest.id());
    }

    private void deleteQuietly(UUID id)
    {
        try {
            fileSystem.deleteFile(paths.manifest(id));
        }
        catch (IOException | RuntimeException e) {
            // No version refers to the file, so it does no harm
        }
    }

    private Manifest readFile(Location location, ManifestEntry entry)
            throws IOException
    {
        // Read one more byte to detect a file that is too long
        Slice file = readBytes(location, toIntExact(entry.length()) + 1);
        if (file.length() > entry.length()) {
            throw damaged("Damaged Albis file %s: it has more than %s bytes", location, entry.length());
        }
        if (file.length() < entry.length()) {
            throw damaged("Damaged Albis file %s: it has %s bytes, but %s bytes were expected", location, file.length(), entry.length());
        }
        Slice body = FileFrame.unframe(location, FileKind.MANIFEST, Optional.of(entry.id()), file);
        return Decoding.decode(location, () -> ManifestBody.decode(location, file.length(), body));
    }

    /**
     * Reads the first bytes of a file, at most {@code length}. The length comes from a version and may be wrong. If it
     * is longer than most manifests are, the buffer grows with the bytes that are read instead of being allocated up
     * front.
     */
    private Slice readBytes(Location location, int length)
            throws IOException
    {
        try (TrinoInputStream input = fileSystem.newInputFile(location).newStream()) {
            if (length > DIRECT_READ_LENGTH) {
                return Slices.wrappedBuffer(input.readNBytes(length));
            }
            byte[] bytes = new byte[length];
            return Slices.wrappedBuffer(bytes, 0, input.readNBytes(bytes, 0, length));
        }
        catch (FileNotFoundException e) {
            throw damaged("Damaged Albis file %s: it is missing", location);
        }
    }

    private void checkFile(Location location)
            throws IOException
    {
        try (TrinoInput input = fileSystem.newInputFile(location).newInput()) {
            input.readFully(0, new byte[1], 0, 1);
        }
        catch (FileNotFoundException e) {
            throw damaged("Damaged Albis file %s: it is missing", location);
        }
    }
}
