package io.albis.s3;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.albis.s3.S3Gate.Fault;
import io.albis.s3.S3Gate.Operation;
import io.albis.s3.S3Gate.Request;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/**
 * A policy of Amazon S3 that refuses the requests of a gate that it does not allow. It knows statements that allow
 * actions on one resource, and a condition of the prefix of listings.
 */
public final class S3Policy
        implements Function<Request, Fault>
{
    private final List<Statement> statements;
    private final Set<String> usedActions = ConcurrentHashMap.newKeySet();
    private final Set<Request> refusedRequests = ConcurrentHashMap.newKeySet();

    private S3Policy(List<Statement> statements)
    {
        this.statements = ImmutableList.copyOf(statements);
    }

    /**
     * Reads a policy as Amazon S3 does.
     *
     * @throws IllegalArgumentException if it contains anything else than the statements that this class knows
     */
    public static S3Policy parse(String json)
            throws IOException
    {
        JsonNode policy = new ObjectMapper().readTree(json);
        return new S3Policy(StreamSupport.stream(policy.get("Statement").spliterator(), false).map(Statement::parse).collect(toImmutableList()));
    }

    /**
     * Returns this policy without some actions.
     */
    public S3Policy without(String... actions)
    {
        Set<String> removed = ImmutableSet.copyOf(actions);
        return new S3Policy(statements.stream()
                .map(statement -> new Statement(
                        statement.actions().stream().filter(action -> !removed.contains(action)).collect(toImmutableSet()),
                        statement.resource(),
                        statement.prefixes()))
                .collect(toImmutableList()));
    }

    /**
     * Returns all actions that the policy allows.
     */
    public Set<String> actions()
    {
        return statements.stream().flatMap(statement -> statement.actions().stream()).collect(toImmutableSet());
    }

    /**
     * Returns the actions that requests have used so far.
     */
    public Set<String> usedActions()
    {
        return ImmutableSet.copyOf(usedActions);
    }

    /**
     * Returns the requests that were refused so far.
     */
    public Set<Request> refusedRequests()
    {
        return ImmutableSet.copyOf(refusedRequests);
    }

    @Override
    public Fault apply(Request request)
    {
        String action = action(request.operation());
        // A DELETE of several objects, and a LIST, have the path of the bucket
        List<String> objects = request.operation() == Operation.DELETE && !request.names().isEmpty()
                ? request.names().stream().map(name -> request.path().replaceFirst("/*$", "/") + name).collect(toImmutableList())
                : ImmutableList.of(request.path());
        boolean allowed = objects.stream().allMatch(object -> statements.stream().anyMatch(statement -> statement.allows(action, resource(object), request)));
        if (!allowed) {
            refusedRequests.add(request);
            return Fault.REFUSED;
        }
        usedActions.add(action);
        return Fault.NONE;
    }

    private static String action(Operation operation)
    {
        return switch (operation) {
            case GET, HEAD -> "s3:GetObject";
            case LIST -> "s3:ListBucket";
            case PUT, PUT_IF_ABSENT, MULTIPART -> "s3:PutObject";
            case DELETE -> "s3:DeleteObject";
            case ABORT_MULTIPART -> "s3:AbortMultipartUpload";
        };
    }

    private static String resource(String path)
    {
        return "arn:aws:s3:::" + path.replaceAll("^/|/$", "");
    }

    /**
     * @param prefixes the prefixes of listings that are allowed; empty if all are, and for objects
     */
    private record Statement(Set<String> actions, String resource, List<String> prefixes)
    {
        private static final Set<String> MEMBERS = ImmutableSet.of("Sid", "Effect", "Action", "Resource", "Condition");

        Statement
        {
            actions = ImmutableSet.copyOf(actions);
            requireNonNull(resource, "resource is null");
            prefixes = ImmutableList.copyOf(prefixes);
        }

        static Statement parse(JsonNode json)
        {
            checkArgument(json.get("Effect").asText().equals("Allow"), "Another effect: %s", json);
            json.fieldNames().forEachRemaining(member -> checkArgument(MEMBERS.contains(member), "Another member: %s", member));
            return new Statement(
                    ImmutableSet.copyOf(texts(json.get("Action"))),
                    json.get("Resource").asText(),
                    json.has("Condition") ? texts(json.get("Condition").get("StringLike").get("s3:prefix")) : ImmutableList.of());
        }

        private static List<String> texts(JsonNode node)
        {
            if (node.isTextual()) {
                return ImmutableList.of(node.asText());
            }
            return StreamSupport.stream(node.spliterator(), false).map(JsonNode::asText).collect(toImmutableList());
        }

        boolean allows(String action, String name, Request request)
        {
            return actions.contains(action) &&
                    matches(resource, name) &&
                    (prefixes.isEmpty() || (!request.names().isEmpty() && request.names().stream().allMatch(prefix -> prefixes.stream().anyMatch(pattern -> matches(pattern, prefix)))));
        }

        private static boolean matches(String pattern, String text)
        {
            return text.matches(Splitter.on('*').splitToStream(pattern).map(Pattern::quote).collect(joining(".*")));
        }
    }
}
