package io.albis.benchmarks.format;

import com.google.common.collect.ImmutableList;
import io.albis.benchmarks.format.data.Dataset;
import io.albis.benchmarks.format.data.IntegerColumns;
import io.albis.benchmarks.format.data.KeyedRows;
import io.albis.benchmarks.format.data.SampledType;
import io.albis.benchmarks.format.data.StoreSales;
import io.albis.benchmarks.format.data.TypeSample;
import io.albis.benchmarks.format.file.FormatFiles;
import io.albis.benchmarks.format.file.RowsChecksum;
import io.albis.benchmarks.format.file.Scan;
import io.albis.benchmarks.format.file.TableFormat;
import io.albis.benchmarks.format.jmh.ScanNames;
import io.albis.benchmarks.measure.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.albis.benchmarks.format.file.TableFormat.ALBIS_BLOCK;
import static io.albis.benchmarks.format.file.TableFormat.ALBIS_BLOCK_ONE_GROUP;
import static io.albis.benchmarks.format.file.TableFormat.ALBIS_LZ4;
import static io.albis.benchmarks.format.file.TableFormat.ALBIS_ROW;
import static io.albis.benchmarks.format.file.TableFormat.ALBIS_ZSTD;
import static io.albis.benchmarks.format.file.TableFormat.ORC_SNAPPY;
import static io.albis.benchmarks.format.file.TableFormat.PARQUET_INDEXED;
import static io.albis.benchmarks.format.file.TableFormat.PARQUET_SNAPPY;
import static io.albis.benchmarks.format.file.TableFormat.PARQUET_ZSTD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that all formats return the same data. Tests do not check the performance figures.
 */
class TestFormats
{
    private static final List<TableFormat> FOR_ALL_TYPES = ImmutableList.of(ALBIS_BLOCK, ALBIS_BLOCK_ONE_GROUP, ALBIS_LZ4, ALBIS_ZSTD, ALBIS_ROW, PARQUET_SNAPPY, PARQUET_ZSTD);
    private static final List<TableFormat> FOR_NUMBERS = Arrays.stream(TableFormat.values())
            .filter(format -> format != PARQUET_INDEXED)
            .collect(toImmutableList());
    private static final int ROWS = 20_000;

    @TempDir
    private Path folder;

    @Test
    void testStoreSales()
            throws IOException
    {
        Dataset dataset = new StoreSales(0.01);
        assertThat(check(dataset, FOR_NUMBERS, ScanNames.all()).rows()).isGreaterThan(1000);
        for (TableFormat format : FOR_NUMBERS) {
            assertThat(files().size(dataset, format)).as(format.label()).isGreaterThan(10_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void testTypeWithNulls(SampledType type)
            throws IOException
    {
        assertThat(check(new TypeSample(type, true, ROWS), FOR_ALL_TYPES, ScanNames.all()).rows()).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @EnumSource
    void testTypeWithoutNulls(SampledType type)
            throws IOException
    {
        assertThat(check(new TypeSample(type, false, ROWS), FOR_ALL_TYPES, ScanNames.all()).rows()).isEqualTo(ROWS);
    }

    /**
     * Tests the types of numbers in the formats that support no others.
     */
    @ParameterizedTest
    @EnumSource(names = {"INTEGER_VALUES", "BIGINT_VALUES", "DECIMAL_7_2"})
    void testNumbers(SampledType type)
            throws IOException
    {
        for (boolean nulls : new boolean[] {true, false}) {
            assertThat(check(new TypeSample(type, nulls, ROWS), FOR_NUMBERS, ScanNames.all()).rows()).isEqualTo(ROWS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 30})
    void testColumns(int count)
            throws IOException
    {
        assertThat(check(new IntegerColumns(30, ROWS), FOR_ALL_TYPES, ScanNames.columns(count)).rows()).isEqualTo(ROWS);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testSelectivity(boolean clustered)
            throws IOException
    {
        List<TableFormat> formats = ImmutableList.of(ALBIS_BLOCK, ALBIS_BLOCK_ONE_GROUP, ALBIS_ROW, PARQUET_SNAPPY, PARQUET_INDEXED, ORC_SNAPPY);
        KeyedRows dataset = new KeyedRows(clustered, ROWS);
        assertThat(check(dataset, formats, ScanNames.fraction(0)).rows()).isEqualTo(1);
        assertThat(check(dataset, formats, ScanNames.fraction(0.01)).rows()).isEqualTo(ROWS / 100);
        assertThat(check(dataset, formats, ScanNames.fraction(1))).isEqualTo(check(dataset, formats, ScanNames.all()));
    }

    @Test
    void testCheckFindsOtherRows()
            throws IOException
    {
        Dataset dataset = new KeyedRows(true, ROWS);
        List<TableFormat> formats = ImmutableList.of(ALBIS_BLOCK, PARQUET_SNAPPY);
        check(dataset, formats, ScanNames.all());
        Path parquet = files().folder(dataset, PARQUET_SNAPPY).resolve("file.parquet");
        Path other = files().folder(new KeyedRows(false, ROWS), PARQUET_SNAPPY).resolve("file.parquet");
        files().prepare(new KeyedRows(false, ROWS), formats, progress());
        Files.delete(parquet);
        Files.copy(other, parquet);
        assertThatThrownBy(() -> FormatCheck.check(files(), dataset, formats, Scan.all(dataset.columns().size())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("The formats do not give the same rows of keyed-clustered-20000: {ALBIS_BLOCK=");
    }

    @Test
    void testFilesOfOtherBuilds()
            throws IOException
    {
        Dataset dataset = new KeyedRows(true, ROWS);
        List<TableFormat> formats = ImmutableList.of(PARQUET_SNAPPY);
        files().prepare(dataset, formats, progress());
        Path parquet = files().folder(dataset, PARQUET_SNAPPY);
        Path other = Files.createFile(parquet.resolve("other"));
        files().prepare(dataset, formats, progress());
        assertThat(other).exists();
        Files.writeString(parquet.resolveSibling("build"), "another build");
        files().prepare(dataset, formats, progress());
        assertThat(other).doesNotExist();
        assertThat(parquet).isDirectoryContaining("glob:**.parquet");
    }

    private RowsChecksum check(Dataset dataset, List<TableFormat> formats, String scan)
            throws IOException
    {
        files().prepare(dataset, formats, progress());
        return FormatCheck.check(files(), dataset, formats, ScanNames.parse(dataset, scan));
    }

    private FormatFiles files()
    {
        return new FormatFiles(folder);
    }

    private static Progress progress()
    {
        return new Progress(new PrintStream(OutputStream.nullOutputStream()));
    }
}
