package io.albis.trino.history;

import com.google.common.collect.ImmutableList;
import io.airlift.json.JsonCodec;
import io.airlift.json.JsonCodecFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * What clients have asked and were told, in order of time. It is written to a file line by line, which can be read
 * again.
 */
final class History
        implements AutoCloseable
{
    private static final JsonCodec<Event> CODEC = new JsonCodecFactory().jsonCodec(Event.class);

    private final long start = System.nanoTime();
    private final ImmutableList.Builder<Event> events = ImmutableList.builder();
    // The statements that write and run now, and their servers
    private final Map<Long, String> writes = new HashMap<>();
    private final Path file;
    private final Writer writer;
    private long calls;

    History(Path file)
    {
        this.file = file;
        try {
            Files.createDirectories(file.getParent());
            writer = Files.newBufferedWriter(file);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Event> read(Path file)
    {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(CODEC::fromJson).collect(toImmutableList());
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file()
    {
        return file;
    }

    /**
     * Returns a number that no other call has.
     */
    synchronized long newCall()
    {
        calls++;
        return calls;
    }

    synchronized void note(String text)
    {
        add(new Event.Note(nanos(), time(), text));
    }

    synchronized void invoked(long call, int client, String server, Operation operation)
    {
        if (operation instanceof Write) {
            writes.put(call, server);
        }
        add(new Event.Invoked(nanos(), time(), call, client, server, operation));
    }

    synchronized void responded(long call, Outcome outcome)
    {
        writes.remove(call);
        add(new Event.Responded(nanos(), time(), call, outcome));
    }

    /**
     * Notes that a server is killed, unless it runs no statement that writes.
     */
    synchronized boolean killedDuringWrite(String server)
    {
        if (!writes.containsValue(server)) {
            return false;
        }
        add(new Event.Killed(nanos(), time(), server, false));
        return true;
    }

    /**
     * Notes that storage is killed, unless no server runs a statement that writes.
     */
    synchronized boolean storageKilledDuringWrite()
    {
        if (writes.isEmpty()) {
            return false;
        }
        add(new Event.Killed(nanos(), time(), "storage", true));
        return true;
    }

    synchronized List<Event> events()
    {
        return events.build();
    }

    private void add(Event event)
    {
        events.add(event);
        try {
            writer.write(CODEC.toJson(event));
            writer.write('\n');
            writer.flush();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long nanos()
    {
        return System.nanoTime() - start;
    }

    private static String time()
    {
        return Instant.now().toString();
    }

    @Override
    public synchronized void close()
    {
        try {
            writer.close();
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
