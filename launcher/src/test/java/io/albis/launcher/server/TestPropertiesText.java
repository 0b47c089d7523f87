package io.albis.launcher.server;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Properties;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class TestPropertiesText
{
    @Test
    void testReplaces()
    {
        PropertiesText text = new PropertiesText(
                """
                # The port
                http-server.http.port = 8080

                #http-server.http.port=1
                coordinator=true
                """);
        assertThat(text.with(ImmutableMap.of("http-server.http.port", "1234")).text()).isEqualTo(
                """
                # The port
                http-server.http.port=1234

                #http-server.http.port=1
                coordinator=true
                """);
    }

    @Test
    void testAddsWhatIsMissing()
    {
        assertThat(new PropertiesText("a=1").with(ImmutableMap.of("c", "3", "b", "2")).text())
                .isEqualTo("a=1\nb=2\nc=3\n");
    }

    @Test
    void testKeepsValuesAsTheyAre()
            throws IOException
    {
        String value = "C:\\a folder\\ü=#!";
        PropertiesText text = new PropertiesText("").with(ImmutableMap.of("a", value));
        assertThat(text.properties()).isEqualTo(ImmutableMap.of("a", value));
        // as Airlift reads the file
        Properties read = new Properties();
        read.load(new ByteArrayInputStream(text.text().getBytes(UTF_8)));
        assertThat(read).isEqualTo(ImmutableMap.of("a", value));
    }
}
