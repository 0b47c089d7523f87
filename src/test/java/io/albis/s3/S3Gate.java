package io.albis.s3;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Pattern;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.net.InetAddress.getLoopbackAddress;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newVirtualThreadPerTaskExecutor;

/**
 * A proxy in front of an S3 server that records each request, and injects the failures that a test configures.
 */
public final class S3Gate
        implements AutoCloseable
{
    private static final Set<String> NOT_FORWARDED = ImmutableSet.of("connection", "content-length", "expect", "host", "transfer-encoding", "upgrade");
    private static final Pattern PREFIX = Pattern.compile("(?:^|&)prefix=([^&]*)");
    private static final Pattern KEY = Pattern.compile("<Key>([^<]*)</Key>");
    // A response to HEAD states the length of the object, but has no body
    private static final long NO_BODY = -1;

    private final HttpServer server;
    private final ExecutorService executor = newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor).build();
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final AtomicLong sentBytes = new AtomicLong();
    private volatile int port;
    private volatile boolean ignoreConditions;
    private volatile Function<Request, Fault> faults = _ -> Fault.NONE;

    S3Gate(int port)
            throws IOException
    {
        this.port = port;
        this.server = HttpServer.create(new InetSocketAddress(getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(executor);
        server.start();
    }

    public enum Operation
    {
        /**
         * A GET of an object or of a range of its bytes.
         */
        GET,
        HEAD,
        LIST,
        PUT,
        /**
         * A conditional PUT, which fails if the object exists.
         */
        PUT_IF_ABSENT,
        DELETE,
        MULTIPART,
        /**
         * Gives up a write of several parts.
         */
        ABORT_MULTIPART,
    }

    /**
     * @param path the bucket and the object
     * @param names the prefix of a LIST, and the objects of a DELETE of several objects; empty for all others
     */
    public record Request(Operation operation, String path, List<String> names)
    {
        public Request
        {
            requireNonNull(operation, "operation is null");
            requireNonNull(path, "path is null");
            names = ImmutableList.copyOf(names);
        }
    }

    public enum Fault
    {
        NONE,
        /**
         * Status 403, which clients do not retry.
         */
        REFUSED,
        /**
         * Status 503, as from an overloaded server.
         */
        BUSY,
        /**
         * The connection closes before the server receives the request.
         */
        LOST_REQUEST,
        /**
         * The server executes the request, and the connection closes before the client receives the response.
         */
        LOST_RESPONSE,
    }

    /**
     * Makes the server ignore the conditions of writes, as a server without support for them does.
     */
    public void setIgnoreConditions(boolean ignoreConditions)
    {
        this.ignoreConditions = ignoreConditions;
    }

    public void setFaults(Function<Request, Fault> faults)
    {
        this.faults = requireNonNull(faults, "faults is null");
    }

    /**
     * Returns the requests since the last call.
     */
    public List<Request> takeRequests()
    {
        ImmutableList.Builder<Request> taken = ImmutableList.builder();
        for (Request request = requests.poll(); request != null; request = requests.poll()) {
            taken.add(request);
        }
        return taken.build();
    }

    /**
     * Returns the number of bytes in the bodies of responses since the last call.
     */
    public long takeSentBytes()
    {
        return sentBytes.getAndSet(0);
    }

    void forwardTo(int port)
    {
        this.port = port;
    }

    String uri()
    {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange)
            throws IOException
    {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Operation operation = operation(exchange);
            Request request = new Request(operation, exchange.getRequestURI().getPath(), names(operation, exchange, body));
            requests.add(request);
            switch (faults.apply(request)) {
                case NONE -> answer(exchange, forward(exchange, body));
                case REFUSED -> answer(exchange, 403, "AccessDenied");
                case BUSY -> answer(exchange, 503, "SlowDown");
                case LOST_REQUEST -> throw new IOException("lost");
                case LOST_RESPONSE -> {
                    forward(exchange, body);
                    throw new IOException("lost");
                }
            }
        }
    }

    private static Operation operation(HttpExchange exchange)
    {
        String query = Optional.ofNullable(exchange.getRequestURI().getQuery()).orElse("");
        if (query.contains("uploads") || query.contains("uploadId")) {
            return exchange.getRequestMethod().equals("DELETE") ? Operation.ABORT_MULTIPART : Operation.MULTIPART;
        }
        return switch (exchange.getRequestMethod()) {
            case "GET" -> query.contains("list-type") ? Operation.LIST : Operation.GET;
            case "HEAD" -> Operation.HEAD;
            case "PUT" -> exchange.getRequestHeaders().containsKey("If-None-Match") ? Operation.PUT_IF_ABSENT : Operation.PUT;
            case "DELETE" -> Operation.DELETE;
            case "POST" -> {
                if (query.contains("delete")) {
                    yield Operation.DELETE;
                }
                throw new IllegalArgumentException("POST " + exchange.getRequestURI());
            }
            default -> throw new IllegalArgumentException(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        };
    }

    private static List<String> names(Operation operation, HttpExchange exchange, byte[] body)
    {
        return switch (operation) {
            case LIST -> PREFIX.matcher(exchange.getRequestURI().getQuery()).results().map(match -> match.group(1)).collect(toImmutableList());
            case DELETE -> KEY.matcher(new String(body, UTF_8)).results().map(match -> match.group(1)).collect(toImmutableList());
            default -> ImmutableList.of();
        };
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body)
            throws IOException
    {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + exchange.getRequestURI()))
                .method(exchange.getRequestMethod(), body.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT)) && !(ignoreConditions && name.equalsIgnoreCase("If-None-Match"))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private void answer(HttpExchange exchange, HttpResponse<byte[]> response)
            throws IOException
    {
        boolean head = exchange.getRequestMethod().equals("HEAD");
        response.headers().map().forEach((name, values) -> {
            if (!NOT_FORWARDED.contains(name.toLowerCase(Locale.ROOT)) || (head && name.equalsIgnoreCase("content-length"))) {
                exchange.getResponseHeaders().put(name, values);
            }
        });
        send(exchange, response.statusCode(), response.body());
    }

    private void answer(HttpExchange exchange, int status, String code)
            throws IOException
    {
        byte[] body = exchange.getRequestMethod().equals("HEAD") ? new byte[0] : "<?xml version=\"1.0\"?><Error><Code>%s</Code><Message>a test wants it</Message></Error>".formatted(code).getBytes(UTF_8);
        send(exchange, status, body);
    }

    private void send(HttpExchange exchange, int status, byte[] body)
            throws IOException
    {
        exchange.sendResponseHeaders(status, body.length == 0 ? NO_BODY : body.length);
        if (body.length > 0) {
            sentBytes.addAndGet(body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /**
     * Returns the paths of the requests with this operation.
     */
    public static List<String> paths(List<Request> requests, Operation operation)
    {
        return requests.stream()
                .filter(request -> request.operation() == operation)
                .map(Request::path)
                .collect(toImmutableList());
    }

    @Override
    public void close()
    {
        server.stop(0);
        client.close();
        executor.close();
    }
}
