package io.albis.format.run;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;
import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;
import io.albis.format.vector.NarrowValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestRunCompression
{
    private static final int[] LENGTHS = {128, 129, 1000, 4096, 65_536, 1 << 20, (1 << 24) + 1};

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void testRoundTrip(Compression compression)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RunCompressor compressor = new RunCompressor(compression);
        for (int length : LENGTHS) {
            byte[] bytes = compressible(random, length);
            int begin = random.nextInt(10);
            byte[] input = new byte[begin + length + random.nextInt(10)];
            System.arraycopy(bytes, 0, input, begin, length);
            int compressed = compressor.compress(input, begin, length);
            assertThat(compressed).as("%s bytes, seed %s", length, seed).isBetween(1, length - length / 8);
            StoredBytes stored = stored(compression, compressed, length);
            assertThat(decompress(stored, compressor.buffer())).as("%s bytes, seed %s", length, seed).isEqualTo(bytes);
            // an implementation in Java, which other platforms use, reads and writes the same format
            byte[] output = new byte[length];
            assertThat(javaDecompressor(compression).decompress(compressor.buffer(), 0, compressed, output, 0, length)).isEqualTo(length);
            assertThat(output).isEqualTo(bytes);
            Compressor java = javaCompressor(compression);
            byte[] buffer = new byte[java.maxCompressedLength(length)];
            int javaLength = java.compress(bytes, 0, length, buffer, 0, buffer.length);
            assertThat(decompress(stored(compression, javaLength, length), buffer)).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testBytesThatStayAsTheyAre(Compression compression)
    {
        Random random = new Random(1);
        RunCompressor compressor = new RunCompressor(compression);
        assertThat(compressor.compress(new byte[127], 0, 127)).isZero();
        assertThat(compressor.compress(new byte[0], 0, 0)).isZero();
        for (int length : LENGTHS) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            // a tenth of the bytes is not worth it
            Arrays.fill(bytes, 0, length / 10, (byte) 0);
            assertThat(compressor.compress(bytes, 0, length)).as("%s bytes", length).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void testDamagedBytes(Compression compression)
    {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        RunCompressor compressor = new RunCompressor(compression);
        byte[] bytes = compressible(random, 3000);
        int compressed = compressor.compress(bytes, 0, bytes.length);
        byte[] valid = Arrays.copyOf(compressor.buffer(), compressed);
        for (int round = 0; round < 20_000; round++) {
            byte[] damaged = valid.clone();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            int length = random.nextBoolean() ? compressed : 1 + random.nextInt(compressed);
            byte[] output = new byte[bytes.length + 1000];
            try {
                new RunDecompressor().decompress(stored(compression, length, bytes.length), damaged, 0, output);
            }
            catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining(compression.toString());
            }
            assertThat(Arrays.copyOfRange(output, bytes.length, output.length)).as("seed %s", seed).containsOnly(0);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void testOtherLengths(Compression compression)
    {
        RunCompressor compressor = new RunCompressor(compression);
        byte[] bytes = compressible(new Random(1), 3000);
        int compressed = compressor.compress(bytes, 0, bytes.length);
        for (int length : new int[] {compressed + 1, 2999, 3001, 10_000}) {
            assertThatThrownBy(() -> decompress(stored(compression, compressed, length), compressor.buffer()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(compression.toString());
        }
        for (int length : new int[] {1, compressed / 2, compressed - 1}) {
            assertThatThrownBy(() -> decompress(stored(compression, length, bytes.length), compressor.buffer()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(compression.toString());
        }
    }

    @Test
    void testRatio()
    {
        // a run that another writer could compress to a few bytes stays as it is, because no reader would accept it
        byte[] zeros = new byte[1 << 27];
        assertThat(new RunCompressor(Compression.ZSTD).compress(zeros, 0, zeros.length)).isZero();
        assertThat(new RunCompressor(Compression.ZSTD).compress(zeros, 0, 1 << 24)).isBetween(1, 10_000);
        assertThat(DecodedLengths.isAllowed(1 << 24, 1)).isTrue();
        assertThat(DecodedLengths.isAllowed((1 << 24) + 1, 1)).isFalse();
        assertThat(DecodedLengths.isAllowed(Integer.MAX_VALUE - 16, Integer.MAX_VALUE / 2)).isTrue();
        assertThat(DecodedLengths.isAllowed(Integer.MAX_VALUE - 8, Integer.MAX_VALUE / 2)).isFalse();
    }

    private static byte[] compressible(Random random, int length)
    {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = i > 16 && random.nextInt(8) > 0 ? bytes[i - 16] : (byte) random.nextInt(4);
        }
        return bytes;
    }

    private static byte[] decompress(StoredBytes stored, byte[] bytes)
    {
        byte[] output = new byte[stored.decodedLength() + NarrowValues.SLACK];
        new RunDecompressor().decompress(stored, bytes, 0, output);
        return Arrays.copyOf(output, stored.decodedLength());
    }

    private static StoredBytes stored(Compression compression, int length, int decodedLength)
    {
        return new StoredBytes(compression, length, decodedLength, new int[StoredBytes.pages(length)]);
    }

    private static Compressor javaCompressor(Compression compression)
    {
        return compression == Compression.LZ4 ? new Lz4JavaCompressor() : new ZstdJavaCompressor();
    }

    private static Decompressor javaDecompressor(Compression compression)
    {
        return compression == Compression.LZ4 ? new Lz4JavaDecompressor() : new ZstdJavaDecompressor();
    }
}
