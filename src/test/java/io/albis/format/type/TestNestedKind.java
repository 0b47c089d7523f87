package io.albis.format.type;

import io.trino.spi.type.Type;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

final class TestNestedKind
{
    /**
     * The compiler does not know which types of Trino are nested, so this test compares the places that do.
     */
    @ParameterizedTest
    @EnumSource
    void testTypes(NestedKind kind)
    {
        String name = switch (kind) {
            case ROW -> "row(\"a\" bigint,\"b\" varchar)";
            case ARRAY -> "array(bigint)";
            case MAP -> "map(bigint,varchar)";
        };
        Type type = new LocalTypeResolver().resolve(name);
        assertThat(type.getTypeId().getId()).isEqualTo(name);
        assertThat(NestedKind.of(type)).contains(kind);
        assertThat(NestedKind.find(kind.code())).contains(kind);
        assertThat(kind.hasChildren(NestedTypes.children(type).size())).isTrue();
        assertThat(StorageType.find(kind.code())).isEmpty();
    }
}
