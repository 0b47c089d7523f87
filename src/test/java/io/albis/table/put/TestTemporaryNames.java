package io.albis.table.put;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TestTemporaryNames
{
    @Test
    void testNames()
    {
        assertThat(TemporaryNames.isTemporary(TemporaryNames.create())).isTrue();
        assertThat(TemporaryNames.create()).isNotEqualTo(TemporaryNames.create());
        for (String name : new String[] {"", ".tmp", ".x.tmp", "94c2e6dc-9939-488d-976a-83e567e9238a.tmp", ".94c2e6dc-9939-488d-976a-83e567e9238a", ".94c2e6dc-9939-488d-976a-83e567e9238a.tmp2", ".94C2E6DC-9939-488d-976a-83e567e9238a.tmp"}) {
            assertThat(TemporaryNames.isTemporary(name)).as(name).isFalse();
        }
    }
}
