package io.albis.trino.history;

import io.albis.table.model.IsolationLevel;
import io.albis.trino.history.HistoryServer.Connection;
import io.albis.trino.history.Outcome.Kind;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Comparator.comparingInt;
import static java.util.Objects.requireNonNull;

/**
 * Clients that change a few tables at the same time, on servers and storage that are killed. All that they ask and are
 * told goes into a history.
 */
final class HistoryRun
{
    static final String SCHEMA = "history";
    static final int COLLECTOR = 0;
    private static final int FINAL_ATTEMPTS = 100;
    private static final int MOST_MORE_KILLS = 20;

    /**
     * @param operations least number of operations, without those that fail because of storage
     * @param kills number of kills, which are spread over the operations
     */
    record Size(int clients, long operations, int kills, Pace pace) {}

    private final History history;
    private final HistoryStorage storage;
    private final List<? extends HistoryServer> servers;
    // Servers that are killed, if any, and those that are not
    private final List<? extends HistoryServer> clientServers;
    private final List<? extends HistoryServer> collectorServers;
    private final Size size;
    private final Optional<RecordedStatements> recorded;
    private final Random random;
    private final Workload workload = new Workload();
    private final Collector collector;
    private final AtomicLong completed = new AtomicLong();
    private final AtomicBoolean killing = new AtomicBoolean(true);
    // Number of operations at which clients pause, so that there are not many more of them during slow restarts
    private final AtomicLong limit = new AtomicLong(Long.MAX_VALUE);
    // By server: the statements that have written since its last start
    private final Map<String, AtomicInteger> writes = new ConcurrentHashMap<>();
    private final AtomicBoolean storageRuns = new AtomicBoolean(true);
    private final AtomicBoolean failed = new AtomicBoolean();

    /**
     * @param servers servers for clients. If some of them cannot be killed, only the collector uses these
     * @param recorded statements to run again instead of others, by clients with the numbers 1, 2, and so on
     */
    HistoryRun(History history, HistoryStorage storage, List<? extends HistoryServer> servers, Size size, Optional<RecordedStatements> recorded, long seed)
    {
        this.history = requireNonNull(history, "history is null");
        this.storage = requireNonNull(storage, "storage is null");
        this.servers = requireNonNull(servers, "servers is null");
        this.clientServers = servers.stream().anyMatch(HistoryServer::canBeKilled) ? servers.stream().filter(HistoryServer::canBeKilled).toList() : servers;
        this.collectorServers = servers.stream().allMatch(HistoryServer::canBeKilled) ? servers : servers.stream().filter(server -> !server.canBeKilled()).toList();
        this.size = requireNonNull(size, "size is null");
        this.recorded = requireNonNull(recorded, "recorded is null");
        this.random = new Random(seed);
        this.collector = new Collector(workload, operation -> execute(COLLECTOR, operation, random));
        history.note("seed %s, %s".formatted(seed, size));
    }

    void run()
            throws Exception
    {
        prepare();
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            List<Future<?>> clients = new ArrayList<>();
            for (int client = 1; client <= size.clients(); client++) {
                int number = client;
                Random clientRandom = new Random(random.nextLong());
                clients.add(start(executor, () -> runClient(number, clientRandom)));
            }
            Random killerRandom = new Random(random.nextLong());
            clients.add(start(executor, () -> kill(killerRandom)));
            AtomicBoolean finished = new AtomicBoolean();
            Future<?> collecting = start(executor, () -> {
                while (!finished.get()) {
                    awaitStorage();
                    collector.collect();
                    Thread.sleep(100);
                }
            });
            try {
                for (Future<?> client : clients) {
                    client.get();
                }
            }
            finally {
                finished.set(true);
            }
            collecting.get();
            collectAll();
            readFromAll();
            history.note("finished");
        }
    }

    private interface Task
    {
        void run()
                throws Exception;
    }

    private Future<?> start(ExecutorService executor, Task task)
    {
        return executor.submit(() -> {
            try {
                task.run();
                return null;
            }
            catch (Exception | Error e) {
                failed.set(true);
                throw e;
            }
        });
    }

    private void prepare()
            throws InterruptedException
    {
        Outcome created = HistoryClient.execute(server(servers, random).uri().orElseThrow(), SCHEMA, "CREATE SCHEMA " + SCHEMA, 0);
        checkState(created.kind() == Kind.DONE, "%s", created);
        if (recorded.isPresent()) {
            recorded.get().first().forEach(operation -> execute(COLLECTOR, operation, random));
            return;
        }
        for (int table = 0; table < 2; table++) {
            long call = history.newCall();
            IsolationLevel isolation = table == 0 ? IsolationLevel.SERIALIZABLE : IsolationLevel.SNAPSHOT;
            Outcome outcome = execute(COLLECTOR, call, workload.first(Workload.NAMES.get(table), isolation, call, random), random);
            checkState(outcome.kind() == Kind.DONE, "%s", outcome);
        }
    }

    private void runClient(int number, Random random)
            throws InterruptedException
    {
        while (!failed.get()) {
            while (completed.get() >= limit.get() && !failed.get()) {
                Thread.sleep(5);
            }
            long call = history.newCall();
            Optional<Operation> operation = next(number, call, random);
            if (operation.isEmpty()) {
                return;
            }
            Outcome outcome = execute(number, call, operation.get(), random);
            if (outcome.error().orElse("").equals(Checker.STORAGE_FAILED)) {
                // Without storage, statements fail at once, and show little
                awaitStorage();
                Thread.sleep(random.nextInt(size.pace().mostDelayMillis()));
            }
            else {
                completed.incrementAndGet();
            }
        }
    }

    private void awaitStorage()
            throws InterruptedException
    {
        while (!storageRuns.get() && !failed.get()) {
            Thread.sleep(5);
        }
    }

    private Optional<Operation> next(int client, long call, Random random)
    {
        if (recorded.isPresent()) {
            Optional<Operation> recordedOperation = recorded.get().next(client);
            // Tables of another run are elsewhere
            return recordedOperation.map(operation -> workload.relocate(operation).orElse(new Read.LostTables()));
        }
        if (completed.get() >= size.operations() && !killing.get()) {
            return Optional.empty();
        }
        return Optional.of(workload.next(call, random, collector.retentionSeconds(), collector.vacuumSeconds()));
    }

    private Outcome execute(int client, Operation operation, Random random)
    {
        return execute(client, history.newCall(), operation, random);
    }

    private Outcome execute(int client, long call, Operation operation, Random random)
    {
        HistoryServer server;
        Optional<Connection> connection;
        try {
            do {
                server = server(client == COLLECTOR ? collectorServers : clientServers, random);
                connection = server.connect();
            }
            while (connection.isEmpty());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        boolean pauses = operation instanceof Write && client != COLLECTOR && random.nextInt(3) == 0;
        return execute(client, call, operation, server, connection.get(), pauses ? random.nextInt(size.pace().mostPauseMillis()) : 0);
    }

    private Outcome execute(int client, long call, Operation operation, HistoryServer server, Connection connection, int pauseMillis)
    {
        history.invoked(call, client, server.name(), operation);
        Outcome answer = HistoryClient.execute(connection.uri(), SCHEMA, operation.sql(), pauseMillis);
        Outcome outcome = connection.isBroken() ? answer.withoutAnswer() : answer;
        history.responded(call, outcome);
        if (outcome.kind() == Kind.DONE && operation instanceof Write) {
            writes(server).incrementAndGet();
        }
        // After an unknown outcome, the collector finds out
        boolean mayHaveTaken = takesName(operation) && outcome.kind() != Kind.FAILED;
        if (outcome.kind() == Kind.DONE || mayHaveTaken || outcome.error().orElse("").equals("TABLE_NOT_FOUND")) {
            workload.sawName(operation.table(), outcome.kind() == Kind.DONE && !mayHaveTaken);
        }
        if (operation instanceof Read.Newest newest && outcome.kind() == Kind.DONE) {
            workload.saw(newest.table(), Long.parseLong(outcome.rows().getFirst().get(1)));
        }
        return outcome;
    }

    private static boolean takesName(Operation operation)
    {
        return operation instanceof Naming.Rename || operation instanceof Naming.Drop || operation instanceof Naming.Unregister;
    }

    /**
     * Returns a server that was running a moment ago.
     */
    private HistoryServer server(List<? extends HistoryServer> candidates, Random random)
            throws InterruptedException
    {
        while (true) {
            HistoryServer server = candidates.get(random.nextInt(candidates.size()));
            if (server.connect().isPresent()) {
                return server;
            }
            checkState(!failed.get(), "No server will start again");
            Thread.sleep(5);
        }
    }

    private void kill(Random random)
            throws Exception
    {
        try {
            for (int kill = 1; (kill <= size.kills() || needsAnother(kill)) && !failed.get(); kill++) {
                while (completed.get() < kill * size.operations() / (size.kills() + 1) && !failed.get()) {
                    Thread.sleep(5);
                }
                if (storage.canBeKilled() && random.nextDouble() < size.pace().storageShare()) {
                    killStorage(random);
                }
                else {
                    killServer(longestRunning(random), random);
                }
            }
        }
        finally {
            limit.set(Long.MAX_VALUE);
            killing.set(false);
        }
    }

    /**
     * Returns whether all kills came too early or too late to interrupt a statement.
     */
    private boolean needsAnother(int kill)
    {
        return size.kills() > 0 && kill <= size.kills() + MOST_MORE_KILLS && Kills.of(history.events()).interrupting() == 0;
    }

    private void killStorage(Random random)
            throws Exception
    {
        awaitWrite(history::storageKilledDuringWrite, random);
        limit.set(completed.get() + size.pace().lead());
        storageRuns.set(false);
        history.note("killed " + storage.killAndRestart(random));
        storageRuns.set(true);
        limit.set(Long.MAX_VALUE);
    }

    private void killServer(HistoryServer server, Random random)
            throws InterruptedException
    {
        while (writes(server).get() < size.pace().leastWrites() && !failed.get()) {
            Thread.sleep(5);
        }
        awaitWrite(
                () -> {
                    server.awaitKill(random);
                    return history.killedDuringWrite(server.name());
                },
                random);
        limit.set(completed.get() + size.pace().lead());
        server.killAndRestart(random);
        writes(server).set(0);
        limit.set(Long.MAX_VALUE);
        history.note("restarted " + server.name());
    }

    /**
     * Returns the server that has the most to lose, because others may have only just started.
     */
    private HistoryServer longestRunning(Random random)
    {
        List<HistoryServer> shuffled = new ArrayList<>(clientServers);
        Collections.shuffle(shuffled, random);
        return shuffled.stream().max(comparingInt(server -> writes(server).get())).orElseThrow();
    }

    private AtomicInteger writes(HistoryServer server)
    {
        return writes.computeIfAbsent(server.name(), _ -> new AtomicInteger());
    }

    /**
     * Waits for a time in the middle of a statement that writes. The clients go on until all kills are done.
     */
    private void awaitWrite(Kill kill, Random random)
            throws InterruptedException
    {
        do {
            Thread.sleep(random.nextInt(size.pace().mostDelayMillis()));
        }
        while (!kill.isDuringWrite() && !failed.get());
    }

    private interface Kill
    {
        /**
         * Notes that something is killed now, unless no statement writes.
         */
        boolean isDuringWrite()
                throws InterruptedException;
    }

    /**
     * Reads what the clients have left, until nothing is missing.
     */
    private void collectAll()
            throws InterruptedException
    {
        for (int attempt = 1; !collector.collectAll(); attempt++) {
            checkState(attempt < FINAL_ATTEMPTS, "The tables cannot be read: the end of %s says why", history.file());
            Thread.sleep(100);
        }
    }

    /**
     * Lets each server read the tables, so that the history shows that it has survived.
     */
    private void readFromAll()
    {
        for (HistoryServer server : servers) {
            for (String name : Workload.NAMES) {
                Outcome outcome = execute(COLLECTOR, history.newCall(), new Read.Newest(name), server, server.connect().orElseThrow(), 0);
                checkState(outcome.kind() == Kind.DONE || outcome.error().orElse("").equals("TABLE_NOT_FOUND"), "%s: %s", server.name(), outcome);
            }
        }
    }
}
