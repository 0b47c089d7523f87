package io.albis.table.storage;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Comparator.comparing;

/**
 * Records file operations with the Flight Recorder of the JDK.
 */
public final class FileEvents
{
    private FileEvents() {}

    /**
     * A write to a file, or a force of a file or folder to disk.
     */
    public record Event(boolean force, Path path, Instant start, Instant end) {}

    public interface Action
    {
        void run()
                throws Exception;
    }

    /**
     * @return the operations on files and folders at or below {@code root}, in order
     */
    public static List<Event> record(Path root, Action action)
            throws Exception
    {
        Path file = Files.createTempFile("albis", ".jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("jdk.FileForce", "jdk.FileWrite")) {
                recording.enable(name).withoutThreshold().withoutStackTrace();
            }
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("jdk.File"))
                    .filter(event -> event.getString("path") != null)
                    .map(FileEvents::event)
                    .filter(event -> event.path().startsWith(root))
                    .sorted(comparing(Event::start))
                    .collect(toImmutableList());
        }
        finally {
            Files.delete(file);
        }
    }

    private static Event event(RecordedEvent event)
    {
        return new Event(event.getEventType().getName().equals("jdk.FileForce"), Path.of(event.getString("path")), event.getStartTime(), event.getEndTime());
    }
}
