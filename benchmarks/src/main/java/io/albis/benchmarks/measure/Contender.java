package io.albis.benchmarks.measure;

/**
 * One of those that are compared.
 */
public interface Contender
{
    String label();

    /**
     * Whether it is what is measured, and no peer that it is measured against.
     */
    boolean isAlbis();
}
