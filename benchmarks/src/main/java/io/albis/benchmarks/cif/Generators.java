package io.albis.benchmarks.cif;

/**
 * Expressions that generate the values of row i. The same row always has the same values.
 */
final class Generators
{
    private Generators() {}

    /**
     * Returns a random number from 0 to below the bound.
     *
     * @param salt text that makes the numbers of different columns differ, without quotes
     */
    public static String number(String salt, int bound)
    {
        // A shift makes the hash positive
        return "mod(bitwise_right_shift(from_big_endian_64(xxhash64(to_utf8('%s ' || CAST(i AS varchar)))), 1), %s)".formatted(salt, bound);
    }

    /**
     * Returns 88 random characters, of 64 different ones.
     */
    public static String characters(String salt)
    {
        return "to_base64(sha512(to_utf8('%s ' || CAST(i AS varchar))))".formatted(salt);
    }

    /**
     * Returns a text of random characters.
     *
     * @param length expression of the length
     */
    public static String text(String salt, String length)
    {
        return "substr(%s, 1, %s)".formatted(characters(salt), length);
    }
}
