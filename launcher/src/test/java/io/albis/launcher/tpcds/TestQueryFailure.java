package io.albis.launcher.tpcds;

import io.trino.spi.StandardErrorCode;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;

import static io.trino.spi.StandardErrorCode.DIVISION_BY_ZERO;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static org.assertj.core.api.Assertions.assertThat;

class TestQueryFailure
{
    @Test
    void testErrorCode()
    {
        assertThat(QueryFailure.DIVISION_BY_ZERO).isEqualTo(DIVISION_BY_ZERO.toErrorCode().getCode());
    }

    @Test
    void testExpected()
    {
        assertThat(QueryFailure.of(failure(DIVISION_BY_ZERO), 12, Scale.TINY).expected()).isTrue();
        assertThat(QueryFailure.of(failure(DIVISION_BY_ZERO), 90, Scale.TINY).expected()).isTrue();
    }

    @Test
    void testUnexpected()
    {
        assertThat(QueryFailure.of(failure(DIVISION_BY_ZERO), 1, Scale.TINY).expected()).isFalse();
        assertThat(QueryFailure.of(failure(DIVISION_BY_ZERO), 12, Scale.parse("1")).expected()).isFalse();
        assertThat(QueryFailure.of(failure(GENERIC_INTERNAL_ERROR), 12, Scale.TINY).expected()).isFalse();
    }

    @Test
    void testMessageIsOneLine()
    {
        assertThat(QueryFailure.of(new SQLException("first\nsecond"), 1, Scale.TINY).message()).isEqualTo("first");
        assertThat(QueryFailure.of(new SQLException(), 1, Scale.TINY).message()).isEqualTo("null");
    }

    private static SQLException failure(StandardErrorCode code)
    {
        return new SQLException("failed", "", code.toErrorCode().getCode());
    }
}
