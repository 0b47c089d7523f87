package io.albis.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.table.storage.FileEvents;
import io.albis.table.storage.FileEvents.Event;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Tracks the part of a folder that would survive a power failure. The Flight Recorder of the JDK reports which files
 * and folders were written and forced to disk, and in which order. After the failure, a file is empty if it was not
 * forced after its last write. A name is gone if its folder was not forced after the file or folder was created. Files
 * that are added while no statement runs count as forced. A file that another one replaces keeps its contents until its
 * folder was forced after that.
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

    /**
     * Returns what a power failure could leave at any time of an action: before it, and after each time that a file or
     * folder was forced to disk. Files that the action has removed are still there, as if their removal were not
     * durable.
     *
     * @param backup an empty folder for copies of the files that the action may remove
     */
    List<Survivors> recordFailures(Path backup, FileEvents.Action action)
            throws Exception
    {
        for (Path path : paths(root)) {
            Files.copy(path, backup.resolve(root.relativize(path).toString()));
        }
        Survivors before = new Survivors(durableNames, durableContents, durableNames);
        Map<Path, Object> keys = ImmutableMap.copyOf(seen);
        List<Event> events = record(action);
        Set<Survivors> survivors = new LinkedHashSet<>();
        survivors.add(before);
        for (int count = 1; count <= events.size(); count++) {
            if (events.get(count - 1).force()) {
                survivors.add(after(before, keys, events.subList(0, count), events));
            }
        }
        return ImmutableList.copyOf(survivors);
    }

    private void apply(List<Event> events)
            throws IOException
    {
        Survivors after = after(new Survivors(durableNames, durableContents, ImmutableSet.of()), seen, events, events);
        seen.clear();
        for (Path path : paths(root)) {
            seen.put(path, key(path));
        }
        durableNames.clear();
        durableNames.addAll(after.names());
        durableNames.retainAll(seen.keySet());
        durableContents.clear();
        durableContents.addAll(after.contents());
        durableContents.retainAll(seen.keySet());
    }

    /**
     * @param keys the files before the events
     * @param events those before the power failure
     * @param all the events, including those that the power failure has prevented
     */
    private Survivors after(Survivors before, Map<Path, Object> keys, List<Event> events, List<Event> all)
            throws IOException
    {
        Set<Path> names = new HashSet<>(before.names());
        Set<Path> contents = new HashSet<>(before.contents());
        Set<Path> unchanged = new HashSet<>(before.unchanged());
        for (Path path : paths(root)) {
            boolean replaced = !key(path).equals(keys.get(path));
            if (replaced) {
                names.remove(path);
                contents.remove(path);
            }
            else if (events.stream().anyMatch(event -> event.path().equals(path))) {
                unchanged.remove(path);
            }
            if (Files.isRegularFile(path)) {
                // A linked file was written under another name
                boolean named = all.stream().anyMatch(event -> event.path().equals(path));
                boolean overwritten = !events.stream().filter(event -> event.path().equals(path)).allMatch(Event::force);
                if (overwritten) {
                    contents.remove(path);
                }
                List<Event> own = events.stream()
                        .filter(event -> named ? event.path().equals(path) : isTemporary(event.path()) && event.path().getParent().equals(path.getParent()))
                        .toList();
                if (!own.isEmpty() && own.getLast().force()) {
                    contents.add(path);
                }
            }
            Optional<Instant> made = madeBefore(path, events);
            if (made.isPresent() && forcedSince(path.getParent(), made.get(), events)) {
                names.add(path);
                if (replaced) {
                    unchanged.remove(path);
                }
            }
        }
        for (Path path : unchanged) {
            names.add(path);
            if (before.contents().contains(path)) {
                contents.add(path);
            }
            else {
                contents.remove(path);
            }
        }
        return new Survivors(names, contents, unchanged);
    }

    /**
     * What is on the disk after a power failure.
     *
     * @param names the files and folders
     * @param contents the files that are not empty
     * @param unchanged those files and folders of the first set that are as they were before the action
     */
    record Survivors(Set<Path> names, Set<Path> contents, Set<Path> unchanged)
    {
        Survivors
        {
            names = ImmutableSet.copyOf(names);
            contents = ImmutableSet.copyOf(contents);
            unchanged = ImmutableSet.copyOf(unchanged);
        }
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
        copy(new Survivors(durableNames, durableContents, ImmutableSet.of()), root, target);
    }

    /**
     * Creates a copy of the root as it would be after a power failure.
     *
     * @param backup the files before the action
     */
    void copyTo(Path target, Survivors survivors, Path backup)
            throws IOException
    {
        copy(survivors, backup, target);
    }

    private void copy(Survivors survivors, Path backup, Path target)
            throws IOException
    {
        Files.createDirectory(target);
        // Folders come before their contents
        for (Path path : new TreeSet<>(survivors.names())) {
            Path copy = target.resolve(root.relativize(path).toString());
            boolean old = survivors.unchanged().contains(path) || !Files.exists(path);
            Path source = old ? backup.resolve(root.relativize(path).toString()) : path;
            if (!Files.isDirectory(copy.getParent())) {
                continue;
            }
            if (Files.isDirectory(source)) {
                Files.createDirectory(copy);
            }
            else if (survivors.contents().contains(path)) {
                Files.copy(source, copy);
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
