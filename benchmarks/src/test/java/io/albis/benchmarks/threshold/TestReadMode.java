package io.albis.benchmarks.threshold;

import io.albis.benchmarks.server.BenchmarkCatalog;
import io.albis.benchmarks.server.SessionProperty;
import io.albis.trino.config.AlbisConfig;
import io.albis.trino.config.AlbisReadConfig;
import io.albis.trino.config.AlbisSessionProperties;
import io.trino.spi.session.PropertyMetadata;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

class TestReadMode
{
    private static final BenchmarkCatalog CATALOG = BenchmarkCatalog.ALBIS;

    @ParameterizedTest
    @EnumSource
    void testCatalog(ReadMode mode)
    {
        BenchmarkCatalog catalog = mode.of(CATALOG);
        assertThat(catalog.catalogName()).startsWith("albis_").isNotEqualTo(CATALOG.catalogName());
        assertThat(catalog.properties(Path.of("data"))).isEqualTo(CATALOG.properties(Path.of("data")));
        assertThat(catalog.hasLocalTables()).isFalse();
        assertThat(CATALOG.hasLocalTables()).isTrue();
    }

    /**
     * Tests that Albis has the properties, including the hidden ones.
     */
    @ParameterizedTest
    @EnumSource
    void testSessionProperties(ReadMode mode)
    {
        List<String> known = new AlbisSessionProperties(new AlbisConfig(), new AlbisReadConfig()).getSessionProperties().stream()
                .map(PropertyMetadata::getName)
                .collect(toImmutableList());
        assertThat(mode.sessionProperties(CATALOG)).isNotEmpty().allSatisfy(property -> {
            assertThat(property.catalog()).isEqualTo(Optional.of(mode.of(CATALOG).catalogName()));
            assertThat(known).contains(property.name());
        });
        assertThat(mode.sessionProperties(CATALOG)).extracting(SessionProperty::name).doesNotHaveDuplicates();
    }
}
