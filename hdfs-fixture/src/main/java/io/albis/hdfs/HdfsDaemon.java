package io.albis.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.security.UserGroupInformation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

/**
 * Runs a NameNode, a DataNode, or both in this process:
 * <ul>
 * <li>The process prints {@code ready} to its standard output once it serves clients, followed by its addresses. The
 *     addresses are properties, with which a restarted process uses the same addresses again.
 * <li>The process answers each line on its standard input with one line that contains its state.
 * <li>The process exits at the end of its standard input, and therefore when the process that started it exits.
 * </ul>
 */
public final class HdfsDaemon
{
    private HdfsDaemon() {}

    interface Role
    {
        /**
         * Returns the addresses that are in use as Hadoop properties.
         */
        Map<String, String> addresses();

        Map<String, String> state();
    }

    /**
     * Runs the daemon.
     *
     * @param arguments {@code namenode}, {@code datanode}, or {@code both}, and a file with Hadoop properties
     */
    public static void main(String[] arguments)
    {
        // Another process reads the standard output, so Hadoop must not write to it
        PrintStream output = System.out;
        System.setOut(System.err);
        try {
            if (arguments.length != 2) {
                throw new IllegalArgumentException("Takes namenode, datanode or both, and a file with properties");
            }
            Configuration configuration = configuration(Path.of(arguments[1]));
            // Otherwise the first call that needs the groups of users would load those of the default configuration
            // permanently
            UserGroupInformation.setConfiguration(configuration);
            Map<String, Role> roles = start(arguments[0], configuration);
            Map<String, String> addresses = new LinkedHashMap<>();
            roles.values().forEach(role -> addresses.putAll(role.addresses()));
            print(output, "ready", addresses);
            answer(output, roles);
        }
        catch (Throwable e) {
            e.printStackTrace();
            // Hadoop's threads would keep the failed process alive
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Configuration configuration(Path file)
            throws IOException
    {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        Configuration configuration = new HdfsConfiguration();
        properties.forEach((name, value) -> configuration.set((String) name, (String) value));
        return configuration;
    }

    private static Map<String, Role> start(String names, Configuration configuration)
            throws Exception
    {
        Map<String, Role> roles = new LinkedHashMap<>();
        switch (names) {
            case "namenode" -> roles.put("namenode", NameNodeRole.start(configuration));
            case "datanode" -> roles.put("datanode", DataNodeRole.start(configuration));
            case "both" -> {
                // Otherwise both would register metrics with the same names
                DefaultMetricsSystem.setMiniClusterMode(true);
                NameNodeRole nameNode = NameNodeRole.start(configuration);
                nameNode.addresses().forEach(configuration::set);
                roles.put("namenode", nameNode);
                roles.put("datanode", DataNodeRole.start(configuration));
            }
            default -> throw new IllegalArgumentException("Neither namenode nor datanode nor both: " + names);
        }
        return roles;
    }

    private static void answer(PrintStream output, Map<String, Role> roles)
            throws IOException
    {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        while (input.readLine() != null) {
            Map<String, String> state = new LinkedHashMap<>();
            roles.values().forEach(role -> state.putAll(role.state()));
            print(output, "state", state);
        }
    }

    private static void print(PrintStream output, String word, Map<String, String> values)
    {
        output.println(values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(joining(" ", word + " ", "")));
        output.flush();
    }
}
