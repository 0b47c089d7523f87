package io.albis.table.name;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestKeyOrigin
{
    @Test
    void testFirstKey()
    {
        for (String name : new String[] {"a", "a-r3", "r3", "-R3", "a-R", "a-R03", "a-R2", "a-R1234567890123456789", "sales%52", "ä b"}) {
            assertThat(KeyOrigin.of(name)).isEqualTo(new KeyOrigin(name, 1));
        }
        assertThat(new KeyOrigin("a", 1).key()).isEqualTo("a");
    }

    @Test
    void testLaterKey()
    {
        assertThat(new KeyOrigin("a-r3", 5).key()).isEqualTo("a-r3-R5");
        for (KeyOrigin origin : new KeyOrigin[] {new KeyOrigin("a", 3), new KeyOrigin("a-r3", 5), new KeyOrigin("ä b", 12345678901L)}) {
            assertThat(KeyOrigin.of(origin.key())).isEqualTo(origin);
        }
        assertThatThrownBy(() -> new KeyOrigin("a", 2)).hasMessage("number is that of a tombstone: 2");
    }
}
