package io.albis.launcher.importing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestServerConnection
{
    @Test
    void testAddresses()
    {
        assertThat(of("http://127.0.0.1:8080").url()).isEqualTo("jdbc:trino://127.0.0.1:8080");
        assertThat(of("https://coordinator:8443").url()).isEqualTo("jdbc:trino://coordinator:8443?SSL=true");
        assertThat(of("https://coordinator").url()).isEqualTo("jdbc:trino://coordinator?SSL=true");
        assertThat(of("jdbc:trino://coordinator:8443?SSL=true&SSLTrustStorePath=/etc/trust.jks").url())
                .isEqualTo("jdbc:trino://coordinator:8443?SSL=true&SSLTrustStorePath=/etc/trust.jks");
    }

    @Test
    void testUser()
    {
        assertThat(of("https://coordinator:8443").user()).hasValue("me");
        assertThat(of("jdbc:trino://coordinator:8443?SSL=true").user()).hasValue("me");
        assertThat(of("jdbc:trino://coordinator:8443?user=alice").user()).isEmpty();
        assertThat(of("jdbc:trino://coordinator:8443?SSL=true&user=alice").user()).isEmpty();
    }

    @Test
    void testPasswordIsNotPrinted()
    {
        assertThat(ServerConnection.of("https://coordinator", "me", Optional.of("secret")).toString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "coordinator:8080", "ftp://coordinator", "http://", "http://a b"})
    void testInvalidAddresses(String server)
    {
        assertThatThrownBy(() -> of(server))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Not the address of a server: '%s'. It looks like ", server);
    }

    private static ServerConnection of(String server)
    {
        return ServerConnection.of(server, "me", Optional.empty());
    }
}
