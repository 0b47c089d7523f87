package io.albis.trino.pushdown;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.albis.trino.handle.AlbisColumnHandle;
import io.albis.trino.handle.AlbisTableHandle;
import io.albis.trino.handle.HiddenColumn;
import io.albis.trino.handle.HiddenColumnHandle;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Optional;
import java.util.UUID;

import static io.albis.trino.handle.HiddenColumn.FILE_MODIFIED_TIME;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestScannedColumns
{
    private static final AlbisColumnHandle ID = new AlbisColumnHandle(3, "id", BIGINT);
    private static final AlbisTableHandle TABLE = new AlbisTableHandle("s", "t", UUID.randomUUID(), "memory:///table", 1, TupleDomain.all(), TupleDomain.all());

    @Test
    void testStoredColumns()
    {
        AlbisTableHandle noted = note(TABLE, ImmutableMap.of("x", ID)).orElseThrow();
        assertThat(ScannedColumns.of(noted)).contains(ImmutableSet.of(3));
        assertThat(note(noted, ImmutableMap.of("x", ID))).isEmpty();
        assertThat(ScannedColumns.of(note(noted, ImmutableMap.of()).orElseThrow())).contains(ImmutableSet.of());
    }

    /**
     * An update in place of any column changes the time of the files of a row group, and no other hidden column.
     */
    @ParameterizedTest
    @EnumSource
    void testHiddenColumns(HiddenColumn hidden)
    {
        AlbisTableHandle noted = note(TABLE, ImmutableMap.of("x", ID)).orElseThrow();
        Optional<AlbisTableHandle> result = note(noted, ImmutableMap.of("x", ID, "y", new HiddenColumnHandle(hidden)));
        if (hidden == FILE_MODIFIED_TIME) {
            assertThat(ScannedColumns.of(result.orElseThrow())).isEmpty();
        }
        else {
            assertThat(result).isEmpty();
        }
    }

    private static Optional<AlbisTableHandle> note(AlbisTableHandle table, ImmutableMap<String, ColumnHandle> assignments)
    {
        return ScannedColumns.note(table, ImmutableList.of(), assignments)
                .map(result -> (AlbisTableHandle) result.getHandle());
    }
}
