package io.albis.placement;

import org.apache.hadoop.net.DNSToSwitchMapping;

import java.util.List;

/**
 * Derives the rack of a test host from its name: {@code <node>.<rack>}.
 */
public class RackOfHost
        implements DNSToSwitchMapping
{
    static String host(int node, String rack)
    {
        return "node" + node + "." + rack;
    }

    @Override
    public List<String> resolve(List<String> names)
    {
        return names.stream()
                .map(name -> "/" + name.substring(name.indexOf('.') + 1))
                .toList();
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> names) {}
}
