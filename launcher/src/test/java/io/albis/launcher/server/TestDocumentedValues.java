package io.albis.launcher.server;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.io.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.io.Resources.getResource;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.readString;
import static java.nio.file.Files.writeString;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the values for Trino's Helm chart in docs/installation.md without a Kubernetes. TestDocumentedInstallation
 * starts a server with their catalog and their properties.
 */
final class TestDocumentedValues
{
    private static final String PAGE = "docs/installation.md";
    private static final Pattern SIZE = Pattern.compile("(?<number>\\d+)G(?:i|B)?");
    // Trino's default of memory.heap-headroom-per-node
    private static final double HEADROOM = 0.3;

    private final Yaml values = Yaml.parse(DocumentedBlocks.text(PAGE, "values: helm", "yaml"));
    private final Yaml secured = Yaml.parse(DocumentedBlocks.text(PAGE, "values: secured", "yaml"));
    private final Yaml chart = Yaml.parse(Resources.toString(getResource("helm/values.yaml"), UTF_8));

    @TempDir
    Path home;

    TestDocumentedValues()
            throws IOException
    {}

    /**
     * Tests that the chart has all of the values. Helm ignores a misspelled one.
     */
    @Test
    void testKeys()
            throws IOException
    {
        assertThat(unknownKeys("", values.map(), chart.map())).isEmpty();
        assertThat(unknownKeys("", secured.map(), chart.map())).isEmpty();
        // The chart that the commands install is that of the list
        String version = Resources.toString(getResource("helm/values.yaml"), UTF_8).lines().findFirst().orElseThrow().replaceFirst(".* chart (\\S+) .*", "$1");
        assertThat(version).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(DocumentedBlocks.text(PAGE, "commands: helm", "bash")).contains(" --version %s ".formatted(version));
        assertThat(DocumentedBlocks.text(PAGE, "commands: helm upgrade", "bash")).contains(" --version %s ".formatted(version));
        assertThat(DocumentedBlocks.text(PAGE, "commands: helm pull", "bash")).contains(" --version %s\n".formatted(version), " trino-%s.tgz ".formatted(version));
    }

    /**
     * Tests that the second values have the same warehouse as the first ones, and the properties of docs/security.md.
     */
    @Test
    void testSecuredValues()
            throws IOException
    {
        Map<String, String> catalog = new PropertiesText(secured.child("catalogs").text("albis")).properties();
        assertThat(catalog).containsAllEntriesOf(new PropertiesText(values.child("catalogs").text("albis")).properties());
        assertThat(rulesIn(catalog)).isEqualTo(DocumentedBlocks.properties("docs/security.md", "properties: access control of the catalog"));
        Yaml accessControl = secured.child("accessControl");
        assertThat(accessControl.text("type")).isEqualTo("properties");
        assertThat(rulesIn(new PropertiesText(accessControl.text("properties")).properties()))
                .isEqualTo(DocumentedBlocks.properties("docs/security.md", "properties: access control of the server"));
    }

    /**
     * Returns the properties of access control, with the folder of docs/security.md.
     */
    private static Map<String, String> rulesIn(Map<String, String> properties)
    {
        return properties.entrySet().stream()
                .filter(property -> property.getKey().matches(".*(security|access-control).*"))
                .collect(toImmutableMap(Map.Entry::getKey, property -> property.getValue().replace("/etc/albis-rules/", "/etc/trino/")));
    }

    /**
     * Tests that the secrets have the files and the keys to which the values refer.
     */
    @RequiredCommand(value = "kubectl version --client", reason = "there is no kubectl on the PATH")
    @Test
    void testSecrets()
            throws IOException, InterruptedException
    {
        for (String file : new String[] {"coordinator.pem", "passwords", "rules.json", "albis-rules.json"}) {
            writeString(home.resolve(file), file);
        }
        Map<String, Yaml> secrets = Stream.of("commands: kubernetes secret", "commands: kubernetes secrets of users")
                .flatMap(marker -> secrets(marker).stream())
                .collect(toImmutableMap(secret -> secret.child("metadata").text("name"), secret -> secret.child("data")));
        String name = values.children("envFrom").getFirst().child("secretRef").text("name");
        assertThat(keys(secrets.get(name))).containsExactlyInAnyOrder("TRINO_SHARED_SECRET", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
        // The chart mounts this key
        assertThat(keys(secrets.get(secured.child("auth").text("passwordAuthSecret")))).containsExactly("password.db");
        Yaml rules = secured.children("secretMounts").getFirst();
        assertThat(keys(secrets.get(rules.text("secretName")))).containsExactlyInAnyOrder("rules.json", "albis-rules.json");
        Yaml tls = secured.child("coordinator").children("secretMounts").getFirst();
        assertThat(keys(secrets.get(tls.text("secretName"))))
                .containsExactly(secured.child("server").child("config").child("https").child("keystore").text("path").replace(tls.text("path") + "/", ""));
    }

    /**
     * Runs commands that create secrets, without a cluster.
     */
    private List<Yaml> secrets(String marker)
    {
        try {
            String output = DocumentedBlocks.commands(PAGE, marker, "kubectl create", "echo ---; kubectl create --dry-run=client -o yaml")
                    .in(home)
                    .with("AWS_ACCESS_KEY_ID", "key")
                    .with("AWS_SECRET_ACCESS_KEY", "secret")
                    .run()
                    .checkSucceeded()
                    .output();
            return Splitter.on("---\n").omitEmptyStrings().splitToStream(output).map(Yaml::parse).collect(toImmutableList());
        }
        catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> keys(Yaml map)
    {
        return map.map().keySet().stream().map(Object::toString).collect(toImmutableSet());
    }

    private static List<String> unknownKeys(String path, Map<?, ?> values, Map<?, ?> known)
    {
        ImmutableList.Builder<String> unknown = ImmutableList.builder();
        for (Map.Entry<?, ?> value : values.entrySet()) {
            String name = path + "." + value.getKey();
            if (!known.containsKey(value.getKey())) {
                // Catalogs have any names
                if (!path.equals(".catalogs")) {
                    unknown.add(name);
                }
            }
            else if (value.getValue() instanceof Map<?, ?> children && known.get(value.getKey()) instanceof Map<?, ?> knownChildren && !knownChildren.isEmpty()) {
                unknown.addAll(unknownKeys(name, children, knownChildren));
            }
        }
        return unknown.build();
    }

    /**
     * Renders the templates of the chart. The folder of the chart is in the environment, because it is not on Maven
     * Central: {@code helm pull trino --untar} with the documented repository and version creates it.
     */
    @RequiredCommand(value = "helm version && grep -q '^name: trino$' \"$TRINO_CHART/Chart.yaml\"", reason = "there is no helm on the PATH, or TRINO_CHART is not the folder of the chart")
    @Test
    void testTemplates()
            throws IOException, InterruptedException
    {
        Path first = writeString(home.resolve("values.yaml"), DocumentedBlocks.text(PAGE, "values: helm", "yaml"));
        Path second = writeString(home.resolve("secured.yaml"), DocumentedBlocks.text(PAGE, "values: secured", "yaml"));
        String chartFolder = System.getenv("TRINO_CHART");
        for (TestingCommand template : ImmutableList.of(
                TestingCommand.of("helm", "template", "trino", chartFolder, "-f", first.toString()),
                TestingCommand.of("helm", "template", "trino", chartFolder, "-f", first.toString(), "-f", second.toString()))) {
            Map<String, Yaml> files = Splitter.on("---\n").splitToStream(template.run().checkSucceeded().output())
                    .filter(document -> document.contains("\nkind: ConfigMap\n"))
                    .map(Yaml::parse)
                    .filter(map -> map.has("data"))
                    .collect(toImmutableMap(map -> map.child("metadata").text("name"), map -> map.child("data")));
            Yaml worker = files.get("trino-worker");
            assertThat(worker.text("access-control.properties").strip())
                    .isEqualTo(DocumentedBlocks.text("docs/security.md", "properties: access control of workers", "properties").strip());
            assertThat(worker.text("worker-rules.json").strip()).isEqualTo(DocumentedBlocks.text("docs/security.md", "rules: workers", "json").strip());
            assertThat(worker.text("config.properties")).contains("\nshutdown.grace-period=120s\n", "\nmetrics.jmx-object-names=");
            boolean isSecured = template.arguments().contains(second.toString());
            Yaml coordinator = files.get("trino-coordinator");
            assertThat(coordinator.has("access-control.properties")).isEqualTo(isSecured);
            assertThat(coordinator.has("password-authenticator.properties")).isEqualTo(isSecured);
            assertThat(files.get("trino-catalog").text("albis.properties").contains("albis.security=file")).isEqualTo(isSecured);
        }
    }

    @Test
    void testImage()
            throws IOException
    {
        Yaml image = values.child("image");
        String name = "%s/%s:%s".formatted(image.text("registry"), image.text("repository"), image.text("tag"));
        assertThat(DocumentedBlocks.text(PAGE, "commands: push", "bash")).isEqualTo("docker push %s\n".formatted(name));
    }

    @Test
    void testMemory()
    {
        for (String role : new String[] {"coordinator", "worker"}) {
            Yaml node = values.child(role);
            long heap = gigabytes(node.child("jvm").text("maxHeapSize"));
            long limit = gigabytes(node.child("resources").child("limits").text("memory"));
            assertThat(gigabytes(node.child("resources").child("requests").text("memory"))).as(role).isEqualTo(limit);
            // A JVM also needs memory for code, threads, and buffers
            assertThat(limit).as(role).isGreaterThanOrEqualTo(heap * 6 / 5);
            Yaml configuration = node.has("config") ? node : chart.child(role);
            long query = gigabytes(configuration.child("config").child("query").text("maxMemoryPerNode"));
            // Trino does not start otherwise
            assertThat(query + HEADROOM * heap).as(role).isLessThanOrEqualTo(heap);
        }
    }

    /**
     * Tests that the workers have the rules of docs/security.md, which TestRulesOfWorkers tests, and the time to shut
     * down. The chart's own rules would not let Prometheus read the metrics of workers.
     */
    @Test
    void testShutdownOfWorkers()
            throws IOException
    {
        Yaml worker = values.child("worker");
        assertThat(worker.has("gracefulShutdown")).isFalse();
        assertThat(worker.child("additionalConfigFiles").texts()).isEqualTo(ImmutableMap.of(
                "access-control.properties", DocumentedBlocks.text("docs/security.md", "properties: access control of workers", "properties"),
                "worker-rules.json", DocumentedBlocks.text("docs/security.md", "rules: workers", "json")));
        String command = worker.child("lifecycle").child("preStop").child("exec").texts("command").getLast();
        assertThat(command).isEqualTo("%stail --pid=1 -f /dev/null".formatted(
                DocumentedBlocks.text("docs/security.md", "commands: shut down", "bash").replace("worker1", "localhost")));
        Matcher gracePeriod = Pattern.compile("shutdown.grace-period=(?<seconds>\\d+)s").matcher(values.child("server").text("workerExtraConfig"));
        assertThat(gracePeriod.matches()).isTrue();
        // A worker waits for this time twice
        assertThat((int) worker.value("terminationGracePeriodSeconds")).isGreaterThan(2 * Integer.parseInt(gracePeriod.group("seconds")));
    }

    private static long gigabytes(String size)
    {
        Matcher matcher = SIZE.matcher(size);
        assertThat(matcher.matches()).as(size).isTrue();
        return Long.parseLong(matcher.group("number"));
    }

    /**
     * Tests that the nodes have the options that the server of bin/albis needs.
     */
    @Test
    void testOptionsOfTheVirtualMachine()
            throws IOException
    {
        List<String> needed = readString(Installation.current().configuration().resolve("jvm.config")).lines().filter(line -> line.startsWith("--")).toList();
        assertThat(needed).hasSize(3);
        for (String role : new String[] {"coordinator", "worker"}) {
            assertThat(values.child(role).texts("additionalJVMConfig")).as(role).containsAll(needed);
        }
    }
}
