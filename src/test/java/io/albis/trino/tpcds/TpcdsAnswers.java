package io.albis.trino.tpcds;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import com.google.common.io.Resources;
import io.trino.spi.type.Type;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * The recorded answers of the catalog that generates TPC-DS. Comparing with a record avoids generating the rows again
 * for each query, which takes minutes. {@link TestTpcdsAnswers} checks the record against the generator and writes a
 * new one.
 */
final class TpcdsAnswers
{
    static final String RESOURCE = "tpcds-answers.txt";
    private static final Map<String, String> RECORD = record();

    private TpcdsAnswers() {}

    static boolean isRecorded(String name, List<Type> types, List<String> rows)
    {
        return checksum(types, rows).equals(RECORD.get(name));
    }

    /**
     * Returns the recorded number of rows and checksum.
     */
    static String recorded(String name)
    {
        return requireNonNull(RECORD.get(name), name);
    }

    static String recordedText()
    {
        try {
            return Resources.toString(Resources.getResource(TpcdsAnswers.class, RESOURCE), UTF_8);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the number of rows and an order-independent checksum. Rows with equal ORDER BY keys may come in any
     * order.
     */
    static String checksum(List<Type> types, List<String> rows)
    {
        Hasher hasher = Hashing.sha256().newHasher();
        types.forEach(type -> hasher.putString(type.getDisplayName(), UTF_8).putChar('\n'));
        rows.stream().sorted().forEach(row -> hasher.putString(row, UTF_8).putChar('\n'));
        return "%s %s".formatted(rows.size(), hasher.hash());
    }

    private static Map<String, String> record()
    {
        ImmutableMap.Builder<String, String> record = ImmutableMap.builder();
        for (String line : Splitter.on('\n').omitEmptyStrings().split(recordedText())) {
            List<String> nameAndChecksum = Splitter.on(' ').limit(2).splitToList(line);
            record.put(nameAndChecksum.getFirst(), nameAndChecksum.getLast());
        }
        return record.buildOrThrow();
    }
}
