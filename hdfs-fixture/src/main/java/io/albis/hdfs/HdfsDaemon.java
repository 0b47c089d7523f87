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
 * Runs a NameNode, a DataNode or both in this process:
 * <ul>
 * <li>It says {@code ready} on its standard output once it serves clients, with its addresses as the properties that
 *     give it the same ones when it is started again.
 * <li>To each line on its standard input it answers one line: what its state is.
 * <li>It ends when its standard input does, that is, with the process that started it.
 * </ul>
 */
public final class HdfsDaemon
{
    private HdfsDaemon() {}

    interface Role
    {
        /**
         * Properties that name the addresses that are used.
         */
        Map<String, String> addresses();

        Map<String, String> state();
    }

    /**
     * @param arguments {@code namenode}, {@code datanode} or {@code both}, and a file with properties of Hadoop
     */
    public static void main(String[] arguments)
    {
        // Hadoop writes there as well, and another process reads it
        PrintStream output = System.out;
        System.setOut(System.err);
        try {
            if (arguments.length != 2) {
                throw new IllegalArgumentException("Takes namenode, datanode or both, and a file with properties");
            }
            Configuration configuration = configuration(Path.of(arguments[1]));
            // Else the groups of users are those of the default configuration, which whoever asks first loads for good
            UserGroupInformation.setConfiguration(configuration);
            Map<String, Role> roles = start(arguments[0], configuration);
            Map<String, String> addresses = new LinkedHashMap<>();
            roles.values().forEach(role -> addresses.putAll(role.addresses()));
            say(output, "ready", addresses);
            answer(output, roles);
        }
        catch (Throwable e) {
            e.printStackTrace();
            // threads of Hadoop keep a process alive that is of no use
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
                // the two would register metrics of the same names
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
            say(output, "state", state);
        }
    }

    private static void say(PrintStream output, String word, Map<String, String> values)
    {
        output.println(values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(joining(" ", word + " ", "")));
        output.flush();
    }
}
