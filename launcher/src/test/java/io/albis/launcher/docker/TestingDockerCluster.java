package io.albis.launcher.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.ContainerNetwork;
import com.github.dockerjava.api.model.HostConfig;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.albis.launcher.server.Installation;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ComposeContainer;
import org.testcontainers.containers.ContainerState;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.createDirectories;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cluster of docker/compose.yaml: a NameNode, three DataNodes, a coordinator, and two workers. Its methods inject
 * and remove faults.
 */
final class TestingDockerCluster
        implements AutoCloseable
{
    /**
     * The name that bin/albis docker test gives to the images of this checkout.
     */
    static final String PROJECT = Optional.ofNullable(System.getenv("ALBIS_DOCKER_PROJECT")).orElse("albis");

    private static final String PROJECT_LABEL = "com.docker.compose.project";
    private static final String SERVICE_LABEL = "com.docker.compose.service";

    private final DockerClient docker = DockerClientFactory.lazyClient();
    private final String name;
    private final ComposeContainer compose;
    private final URI uri;

    private TestingDockerCluster(String name, ComposeContainer compose, URI uri)
    {
        this.name = requireNonNull(name, "name is null");
        this.compose = requireNonNull(compose, "compose is null");
        this.uri = requireNonNull(uri, "uri is null");
    }

    static TestingDockerCluster start(Path directory)
            throws IOException, InterruptedException
    {
        String name = "albistest%s".formatted(ProcessHandle.current().pid());
        int port = freePort();
        ImmutableMap.Builder<String, String> environment = ImmutableMap.<String, String>builder()
                .put("COMPOSE_PROFILES", "hdfs")
                .put("ALBIS_DOCKER_PROJECT", PROJECT)
                .put("ALBIS_PORT", Integer.toString(port))
                .put("ALBIS_WORKERS", "2")
                .put("ALBIS_REPLICATION", "2")
                .put("ALBIS_TRINO_HEAP", "768m")
                .put("ALBIS_TRINO_MEMORY", "1728m")
                .put("ALBIS_HADOOP_HEAP", "256m")
                .put("ALBIS_HADOOP_MEMORY", "768m");
        for (String node : ImmutableList.of("namenode", "datanode1", "datanode2", "datanode3")) {
            environment.put("ALBIS_%s_DATA".formatted(node.toUpperCase(Locale.ENGLISH)), createDirectories(directory.resolve(node)).toString());
        }
        format(directory.resolve("namenode"));
        ComposeContainer compose = new ComposeContainer(name, writeCompose(directory).toFile())
                .withEnv(environment.buildOrThrow())
                .withPull(false)
                .withBuild(false);
        try {
            compose.start();
        }
        catch (RuntimeException e) {
            compose.stop();
            throw e;
        }
        return new TestingDockerCluster(name, compose, URI.create("http://127.0.0.1:" + port));
    }

    /**
     * Copies the compose file without the name of the project, which Docker Compose 1 refuses. Testcontainers sets the
     * name.
     */
    private static Path writeCompose(Path directory)
            throws IOException
    {
        Path docker = Installation.current().repository().resolve("docker");
        String text = readString(docker.resolve("compose.yaml"));
        return writeString(
                directory.resolve("compose.yaml"),
                text.replaceFirst("(?m)^name: .*\n", "").replaceAll("(?m)^( *context: )", "$1" + Matcher.quoteReplacement(docker + "/")));
    }

    static void format(Path nameNode)
            throws IOException, InterruptedException
    {
        HdfsRun run = runHdfs(nameNode, "format");
        assertThat(run.exitCode()).as(run.output()).isEqualTo(0);
    }

    /**
     * Runs a command of the image of HDFS until it ends, in a container that is not part of the cluster.
     */
    static HdfsRun runHdfs(Path data, String command)
            throws IOException, InterruptedException
    {
        Process process = new ProcessBuilder("docker", "run", "--rm", "--volume", data + ":/data", PROJECT + "-hadoop", command)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new HdfsRun(process.waitFor(), output);
    }

    /**
     * Returns how the containers of all services are confined.
     */
    List<HostConfig> hostConfigurations()
    {
        return docker.listContainersCmd()
                .exec().stream()
                .filter(container -> container.getLabels().getOrDefault(PROJECT_LABEL, "").startsWith(name))
                .map(container -> docker.inspectContainerCmd(container.getId()).exec().getHostConfig())
                .toList();
    }

    URI uri()
    {
        return uri;
    }

    /**
     * Returns all containers of a service, including stopped ones.
     */
    List<Container> containers(String service)
    {
        return docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Map.of(SERVICE_LABEL, service))
                .exec().stream()
                .filter(container -> container.getLabels().get(PROJECT_LABEL).startsWith(name))
                .toList();
    }

    /**
     * Suspends the processes of a container. Its connections stay open.
     */
    void pause(String container)
    {
        docker.pauseContainerCmd(container).exec();
    }

    void unpause(String container)
    {
        docker.unpauseContainerCmd(container).exec();
    }

    void kill(String container)
    {
        docker.killContainerCmd(container).exec();
    }

    void start(String container)
    {
        docker.startContainerCmd(container).exec();
    }

    /**
     * Disconnects a container from the network without closing its connections.
     */
    void cutOff(Container container)
    {
        docker.disconnectFromNetworkCmd()
                .withNetworkId(network(container))
                .withContainerId(container.getId())
                .exec();
    }

    void reconnect(Container container)
    {
        docker.connectToNetworkCmd()
                .withNetworkId(network(container))
                .withContainerId(container.getId())
                .withContainerNetwork(new ContainerNetwork().withAliases(container.getLabels().get(SERVICE_LABEL)))
                .exec();
    }

    /**
     * Returns the network that the container was connected to when it was looked up.
     */
    private static String network(Container container)
    {
        return container.getNetworkSettings().getNetworks().values().stream().collect(onlyElement()).getNetworkID();
    }

    /**
     * Returns whether a DataNode is registered with the NameNode and accepts connections.
     */
    boolean isReachable(Container dataNode)
            throws IOException, InterruptedException
    {
        String service = dataNode.getLabels().get(SERVICE_LABEL);
        ContainerState nameNode = compose.getContainerByServiceName("namenode").orElseThrow();
        return nameNode.execInContainer("bash", "-c", "exec 3<>/dev/tcp/%s/9866".formatted(service)).getExitCode() == 0 &&
                nameNode.execInContainer("/opt/hadoop/bin/healthy", "datanode", service).getExitCode() == 0;
    }

    @Override
    public void close()
    {
        compose.stop();
    }

    record HdfsRun(int exitCode, String output)
    {
        HdfsRun
        {
            requireNonNull(output, "output is null");
        }
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
