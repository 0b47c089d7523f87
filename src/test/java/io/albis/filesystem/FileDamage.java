package io.albis.filesystem;

import io.albis.TestTier;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;

import static java.util.Objects.requireNonNull;

/**
 * Flips the bits of files and truncates files, and counts what it has tried. For files that are not small, it tries
 * every bit and every length only with {@code bin/albis test --all}, and otherwise some of them, different ones each
 * time.
 */
public final class FileDamage
{
    private final String test;
    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private long files;
    private long bits;
    private long lengths;

    /**
     * @param test name of the test, for the line that it prints
     */
    public FileDamage(String test)
    {
        this.test = requireNonNull(test, "test is null");
    }

    /**
     * Checks what a reader does with a damaged file.
     */
    public interface Check
    {
        /**
         * @param description what is damaged, for the message of an assertion that fails
         */
        void check(byte[] damaged, String description)
                throws IOException;
    }

    /**
     * Flips bits and truncates a file, with one bit in each of several bytes on average unless all tests run.
     *
     * @param length number of bytes whose bits matter, from the beginning of the file
     * @param step one of so many bytes is damaged, and so is one of so many lengths; 1 for one bit of each byte
     */
    public void some(byte[] file, int length, int step, Check check)
            throws IOException
    {
        if (TestTier.isComplete()) {
            all(file, length, check);
            return;
        }
        files++;
        for (int position = random.nextInt(step); position < length; position += 1 + random.nextInt(2 * step - 1)) {
            flip(file, position, random.nextInt(Byte.SIZE), check);
        }
        for (int truncated = random.nextInt(step); truncated < length; truncated += 1 + random.nextInt(2 * step - 1)) {
            truncate(file, truncated, check);
        }
    }

    /**
     * Flips every bit, and truncates the file at every length.
     *
     * @param length number of bytes whose bits matter, from the beginning of the file
     */
    public void all(byte[] file, int length, Check check)
            throws IOException
    {
        files++;
        for (int position = 0; position < length; position++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                flip(file, position, bit, check);
            }
        }
        for (int truncated = 0; truncated < length; truncated++) {
            truncate(file, truncated, check);
        }
    }

    private void flip(byte[] file, int position, int bit, Check check)
            throws IOException
    {
        byte[] damaged = file.clone();
        damaged[position] ^= (byte) (1 << bit);
        bits++;
        check.check(damaged, "bit %s of byte %s, seed %s".formatted(bit, position, seed));
    }

    private void truncate(byte[] file, int length, Check check)
            throws IOException
    {
        lengths++;
        check.check(Arrays.copyOf(file, length), "%s of %s bytes, seed %s".formatted(length, file.length, seed));
    }

    /**
     * Prints what was tried.
     */
    public void print()
    {
        System.out.println("Damage: %s flipped %s bits of %s files, and truncated them at %s lengths".formatted(test, bits, files, lengths));
    }
}
