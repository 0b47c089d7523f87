package io.albis;

/**
 * Tells which tests run. Prefer the tag {@code slow} where a whole test belongs to the slow tier.
 */
public final class TestTier
{
    private TestTier() {}

    /**
     * Returns whether the slow tests run, too. Otherwise, a test that tries every step of a statement tries some of
     * them.
     */
    public static boolean isComplete()
    {
        return "all".equals(System.getProperty("albis.tests"));
    }
}
