package io.albis.trino;

import com.google.common.collect.ImmutableSet;
import io.albis.table.storage.FileEvents;
import io.albis.table.storage.FileEvents.Event;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Tracks the part of a folder that would survive a power failure. The Flight Recorder of the JDK reports which files
 * and folders were written and forced to disk, and in which order. After the failure, a file is empty if it was not
 * forced after its last write. A name is gone if its folder was not forced after the file or folder was created. Files
 * that are added while no statement runs count as forced.
 */
final class ForcedFiles
{
    private final Path root;
    // All files, and the durable part of them. A file is identified by the key of the operating system
    private final Map<Path, Object> seen = new TreeMap<>();
    private final Set<Path> durableNames = new HashSet<>();
    private final Set<Path> durableContents = new HashSet<>();

    ForcedFiles(Path root)
            throws IOException
    {
        this.root = requireNonNull(root, "root is null");
        for (Path path : paths(root)) {
            seen.put(path, key(path));
            durableNames.add(path);
            durableContents.add(path);
        }
    }

    /**
     * @return the operations on files below the root, in order
     */
    List<Event> record(FileEvents.Action action)
            throws Exception
    {
        List<Event> events = FileEvents.record(root, action);
        apply(events);
        return events;
    }

    private void apply(List<Event> events)
            throws IOException
    {
        Set<Path> present = new HashSet<>();
        for (Path path : paths(root)) {
            present.add(path);
            if (!key(path).equals(seen.put(path, key(path)))) {
                durableNames.remove(path);
                durableContents.remove(path);
            }
            if (Files.isRegularFile(path)) {
                // A linked file was written under another name
                boolean named = events.stream().anyMatch(event -> event.path().equals(path));
                boolean overwritten = !events.stream().filter(event -> event.path().equals(path)).allMatch(Event::force);
                if (overwritten) {
                    durableContents.remove(path);
                }
                List<Event> own = events.stream()
                        .filter(event -> named ? event.path().equals(path) : isTemporary(event.path()) && event.path().getParent().equals(path.getParent()))
                        .toList();
                if (!own.isEmpty() && own.getLast().force()) {
                    durableContents.add(path);
                }
            }
            if (madeBefore(path, events).isPresent() && forcedSince(path.getParent(), madeBefore(path, events).get(), events)) {
                durableNames.add(path);
            }
        }
        seen.keySet().retainAll(present);
        durableNames.retainAll(present);
        durableContents.retainAll(present);
    }

    /**
     * Returns a time at which a new file or folder already had its name.
     */
    private static Optional<Instant> madeBefore(Path path, List<Event> events)
    {
        if (Files.isDirectory(path)) {
            return events.stream()
                    .filter(event -> event.path().startsWith(path) && !event.path().equals(path))
                    .map(Event::start)
                    .findFirst();
        }
        Stream<Event> written = events.stream().filter(event -> event.path().equals(path));
        if (events.stream().noneMatch(event -> event.path().equals(path))) {
            written = events.stream().filter(event -> isTemporary(event.path()) && event.path().getParent().equals(path.getParent()));
        }
        return written.map(Event::end).max(Instant::compareTo);
    }

    private static boolean forcedSince(Path folder, Instant time, List<Event> events)
    {
        return events.stream().anyMatch(event -> event.force() && event.path().equals(folder) && !event.start().isBefore(time));
    }

    private static boolean isTemporary(Path path)
    {
        return path.getFileName().toString().endsWith(".tmp");
    }

    Set<Path> names()
    {
        return ImmutableSet.copyOf(durableNames);
    }

    /**
     * Creates a copy of the root as it would be after a power failure now.
     */
    void copyTo(Path target)
            throws IOException
    {
        Files.createDirectory(target);
        for (Path path : paths(root)) {
            Path copy = target.resolve(root.relativize(path).toString());
            if (!durableNames.contains(path) || !Files.isDirectory(copy.getParent())) {
                continue;
            }
            if (Files.isDirectory(path)) {
                Files.createDirectory(copy);
            }
            else if (durableContents.contains(path)) {
                Files.copy(path, copy);
            }
            else {
                Files.createFile(copy);
            }
        }
    }

    private static Object key(Path path)
            throws IOException
    {
        return List.of(Files.getAttribute(path, "unix:ino"), Files.getAttribute(path, "creationTime"));
    }

    // Folders come before their contents
    private static List<Path> paths(Path root)
            throws IOException
    {
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(path -> !path.equals(root)).sorted().collect(toImmutableList());
        }
    }
}
