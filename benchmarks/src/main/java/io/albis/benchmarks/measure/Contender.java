package io.albis.benchmarks.measure;

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
}
