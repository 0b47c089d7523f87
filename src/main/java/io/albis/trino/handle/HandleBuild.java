package io.albis.trino.handle;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trino.spi.TrinoException;

import static io.trino.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static java.util.Objects.requireNonNull;

/**
 * The build of the plugin that made a handle. It is the first property of each handle that nodes send to each other. A
 * node with a different build detects the difference before it decodes the rest of the handle, whose properties may
 * differ in number or meaning. Column handles do not have it, because a node receives them together with, and after,
 * the handle of their table.
 */
public final class HandleBuild
{
    /**
     * The build and the name of this node. A query has only a few handles with it.
     */
    public static final HandleBuild CURRENT = new HandleBuild(PluginBuild.CURRENT.toString());
    /**
     * The build without the name of this node. A query has many splits, so they carry only the build.
     */
    public static final HandleBuild CURRENT_ID = new HandleBuild(PluginBuild.CURRENT.id());

    private final String text;

    private HandleBuild(String text)
    {
        this.text = requireNonNull(text, "text is null");
    }

    /**
     * Decodes the build of a handle and checks that it is the build of this node.
     *
     * @throws TrinoException with code CONFIGURATION_INVALID if this node has a different build
     */
    @JsonCreator
    public static HandleBuild check(String text)
    {
        int end = text.indexOf(' ');
        String id = id(text);
        if (!id.equals(PluginBuild.CURRENT.id())) {
            throw mismatch(text);
        }
        return end < 0 ? CURRENT_ID : CURRENT;
    }

    /**
     * Checks that a handle names its build. A handle of a build without this property does not.
     *
     * @throws TrinoException with code CONFIGURATION_INVALID if the build is missing
     */
    public static void checkPresent(HandleBuild build)
    {
        if (build == null) {
            throw mismatch("(not named)");
        }
    }

    private static String id(String text)
    {
        int end = text.indexOf(' ');
        return end < 0 ? text : text.substring(0, end);
    }

    private static TrinoException mismatch(String other)
    {
        if (PluginBuild.CURRENT.id().equals(PluginBuild.UNKNOWN) || id(other).equals(PluginBuild.UNKNOWN)) {
            return new TrinoException(CONFIGURATION_INVALID,
                    ("A node of this cluster could not read the classes of its Albis plugin, so it is not known whether all nodes have the same build: " +
                            "build %s received a handle from build %s. The log of the node whose build is unknown says why. " +
                            "Give it a plugin folder that it can read, and start it again").formatted(PluginBuild.CURRENT, other));
        }
        return new TrinoException(CONFIGURATION_INVALID,
                ("The nodes of this cluster have different builds of the Albis plugin: build %s received a handle from build %s. " +
                        "Stop all nodes, give all of them the same plugin folder, and start them").formatted(PluginBuild.CURRENT, other));
    }

    @JsonValue
    @Override
    public String toString()
    {
        return text;
    }
}
