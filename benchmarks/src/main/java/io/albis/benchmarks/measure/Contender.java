package io.albis.benchmarks.measure;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/**
 * One of the systems or formats that are compared.
 */
public interface Contender
{
    String label();

    /**
     * Returns whether this is Albis rather than one of the peers that it is compared with.
     */
    boolean isAlbis();

    /**
     * Returns the labels of those that are Albis, or of those that are not.
     */
    static List<String> labels(List<? extends Contender> contenders, boolean albis)
    {
        return contenders.stream()
                .filter(contender -> contender.isAlbis() == albis)
                .map(Contender::label)
                .collect(toImmutableList());
    }
}
