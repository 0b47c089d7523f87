package io.albis.table.version;

import com.google.common.collect.AbstractIterator;
import io.albis.format.io.AlbisDataException;
import io.albis.table.model.ExpiredVersions;
import io.albis.table.model.TableException;
import io.albis.table.model.TableVersion;

import java.io.IOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

import static io.albis.table.model.TableException.Reason.VERSION_NOT_FOUND;
import static io.albis.table.model.TableOperation.CREATE;
import static io.albis.table.put.StorageCalls.unchecked;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * The versions of a table that have not expired, up to the one that a transaction sees. Only the files of versions are
 * read, and no manifests. A version with a tag can be older than versions that have expired.
 * <p>
 * An attempt to create a table that failed may have left versions to which no name ever led. The attempt that succeeded
 * has created the version after them. They are not part of the history.
 */
public final class TableHistory
{
    /**
     * The name of the newest version, which no tag can have.
     */
    public static final String NEWEST = "main";

    private final Versions versions;
    private final AlbisTable table;
    private final long newest;
    private final ExpiredVersions expired;

    public TableHistory(TableStorage storage, AlbisTable table)
    {
        this.versions = storage.versions();
        this.table = requireNonNull(table, "table is null");
        this.newest = table.version().version();
        this.expired = table.version().expired().orElse(ExpiredVersions.NONE);
    }

    /**
     * Returns the versions from the oldest to the newest. Each is read when the iterator gets to it. A version that
     * expires in the meantime is omitted.
     *
     * @throws java.io.UncheckedIOException if the storage fails or a file is damaged, also while iterating
     */
    public Iterator<TableVersion> versions()
    {
        PrimitiveIterator.OfLong numbers = LongStream.concat(
                expired.except().stream().mapToLong(Long::longValue),
                LongStream.rangeClosed(expired.before(), newest)).iterator();
        return new AbstractIterator<>()
        {
            private Optional<TableVersion> ahead = read();

            @Override
            protected TableVersion computeNext()
            {
                while (ahead.isPresent()) {
                    TableVersion version = ahead.get();
                    ahead = read();
                    if (ahead.isEmpty() || !isSuperseded(version, ahead.get())) {
                        return version;
                    }
                }
                return endOfData();
            }

            private Optional<TableVersion> read()
            {
                while (numbers.hasNext()) {
                    long number = numbers.nextLong();
                    Optional<TableVersion> version = unchecked(() -> TableHistory.this.read(number));
                    if (version.isPresent()) {
                        return version;
                    }
                }
                return Optional.empty();
            }
        };
    }

    /**
     * Returns the version with a number; empty if it does not exist or has expired.
     *
     * @throws AlbisDataException if its file is missing or damaged
     */
    public Optional<TableVersion> find(long number)
            throws IOException
    {
        if (number < TableVersion.FIRST_VERSION || number > newest || expired.contains(number)) {
            return Optional.empty();
        }
        Optional<TableVersion> version = readUnlessExpired(number);
        return version.isPresent() && isVisible(version.get()) ? version : Optional.empty();
    }

    /**
     * Returns the version with a number.
     *
     * @throws TableException VERSION_NOT_FOUND if it does not exist or has expired
     * @throws AlbisDataException if its file is missing or damaged
     */
    public TableVersion get(long number)
            throws IOException
    {
        Optional<TableVersion> version = find(number);
        if (version.isPresent()) {
            return version.get();
        }
        boolean hasExpired = number >= TableVersion.FIRST_VERSION && expired.contains(number);
        TableVersion oldest = oldest();
        throw new TableException(
                VERSION_NOT_FOUND,
                "Table '%s.%s' has no version %s%s. %s",
                table.schemaName(),
                table.tableName(),
                number,
                hasExpired ? " any more, because it has expired" : "",
                describe(oldest.version()));
    }

    /**
     * Returns a sentence that names the versions that exist.
     *
     * @param oldest the first one after all that have expired
     */
    private String describe(long oldest)
    {
        if (expired.except().isEmpty()) {
            return oldest == newest ? "It has only version %s".formatted(newest) : "Its versions are between %s and %s".formatted(oldest, newest);
        }
        return "Its versions are %s and %s".formatted(
                expired.except().stream().map(String::valueOf).collect(joining(", ")),
                oldest == newest ? newest : "those between %s and %s".formatted(oldest, newest));
    }

    /**
     * Returns the version with a name: that of a tag, or {@link #NEWEST}.
     *
     * @throws TableException VERSION_NOT_FOUND if there is none
     */
    public TableVersion get(String name)
            throws IOException
    {
        if (name.equals(NEWEST)) {
            return table.version();
        }
        Map<String, Long> tags = table.version().tags();
        Long number = tags.get(name);
        if (number == null) {
            throw new TableException(
                    VERSION_NOT_FOUND,
                    "Table '%s.%s' has no tag '%s'. %s",
                    table.schemaName(),
                    table.tableName(),
                    name,
                    tags.isEmpty() ? "It has no tags" : "Its tags are: " + String.join(", ", tags.keySet()));
        }
        return get((long) number);
    }

    /**
     * Returns the version that was the newest at a point in time: the last one that was committed at or before it.
     *
     * @throws TableException VERSION_NOT_FOUND if the table did not exist then, or if its version of that time does not
     *         exist any more
     * @throws AlbisDataException if the file of a version that decides this is missing or damaged
     */
    public TableVersion asOf(Instant time)
            throws IOException
    {
        if (!time.isBefore(table.version().time())) {
            return table.version();
        }
        // Commit times strictly increase. The version after one with a tag may have expired, so it is unknown until
        // when the one with the tag was the newest
        long low = expired.before();
        long high = newest;
        Optional<TableVersion> found = Optional.empty();
        while (low < high) {
            long middle = low + (high - low) / 2;
            Optional<TableVersion> version = readUnlessExpired(middle);
            if (version.isEmpty()) {
                // It has expired in the meantime, and so have all older ones
                found = Optional.empty();
                low = middle + 1;
            }
            else if (version.get().time().isAfter(time)) {
                high = middle;
            }
            else {
                found = version;
                low = middle + 1;
            }
        }
        if (found.isPresent() && isVisible(found.get())) {
            return found.get();
        }
        TableVersion oldest = oldest();
        throw new TableException(
                VERSION_NOT_FOUND,
                "Table '%s.%s' has no version of %s or before. The oldest is version %s of %s%s",
                table.schemaName(),
                table.tableName(),
                time,
                oldest.version(),
                oldest.time(),
                expired.count() > 0 ? ". Earlier versions have expired, and those with a tag can be read by the name of the tag" : "");
    }

    private TableVersion oldest()
            throws IOException
    {
        for (long number = expired.before(); number < newest; number++) {
            Optional<TableVersion> version = read(number);
            if (version.isPresent() && isVisible(version.get())) {
                return version.get();
            }
        }
        return table.version();
    }

    /**
     * Reads a version that existed when the table was loaded.
     *
     * @return empty if it has expired in the meantime, or if the table was dropped
     * @throws AlbisDataException if its file is missing or damaged
     */
    private Optional<TableVersion> readUnlessExpired(long number)
            throws IOException
    {
        Optional<TableVersion> version = read(number);
        if (version.isEmpty()) {
            TableVersion current = versions.newest(newest);
            if (current.name().isPresent() && !current.isExpired(number)) {
                throw versions.missing(number);
            }
        }
        return version;
    }

    private Optional<TableVersion> read(long number)
            throws IOException
    {
        if (number == newest) {
            return Optional.of(table.version());
        }
        try {
            return versions.read(number);
        }
        catch (AlbisDataException e) {
            // Perhaps a stub is replacing it at this moment, or a power failure has damaged the stub
            if (versions.newest(newest).isExpired(number)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private boolean isVisible(TableVersion version)
            throws IOException
    {
        // The file of a version that has expired may be incomplete
        if (version.version() == newest || !isCreation(version) || expired.contains(version.version() + 1)) {
            return true;
        }
        Optional<TableVersion> next = read(version.version() + 1);
        return next.isEmpty() || !isSuperseded(version, next.get());
    }

    private static boolean isSuperseded(TableVersion version, TableVersion next)
    {
        return isCreation(version) && isCreation(next);
    }

    private static boolean isCreation(TableVersion version)
    {
        return version.operation().equals(CREATE.label());
    }
}
