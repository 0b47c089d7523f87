package io.albis.launcher.server;

import com.google.common.collect.ImmutableList;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Base64;
import java.util.Properties;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.Files.newInputStream;
import static java.nio.file.Files.writeString;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The certificate of a server, and tokens of its users.
 */
final class TestingCredentials
{
    // The server selects its certificate by the name that a client asks for, and this name is that of the documented
    // one
    static final String HOST = "coordinator.example.com";
    private static final byte[] TOKEN_KEY = "the key that signs the tokens of users".getBytes(UTF_8);

    private final Path directory;
    private final Path tokenKey;
    private final X509Certificate certificate;

    private TestingCredentials(Path directory, Path tokenKey, X509Certificate certificate)
    {
        this.directory = requireNonNull(directory, "directory is null");
        this.tokenKey = requireNonNull(tokenKey, "tokenKey is null");
        this.certificate = requireNonNull(certificate, "certificate is null");
    }

    /**
     * Creates the certificate of a server with the commands of docs/security.md.
     */
    static TestingCredentials create(Path directory)
            throws IOException, InterruptedException, GeneralSecurityException
    {
        TestingCommand commands = DocumentedBlocks.commands("docs/security.md", "commands: certificate").in(directory);
        assertThat(commands.toString()).contains("subjectAltName=DNS:%s ".formatted(HOST));
        commands.run().checkSucceeded();
        Path tokenKey = directory.resolve("token.key");
        writeString(tokenKey, Base64.getEncoder().encodeToString(TOKEN_KEY));
        try (InputStream input = newInputStream(directory.resolve("coordinator.crt"))) {
            return new TestingCredentials(directory, tokenKey, (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(input));
        }
    }

    /**
     * Returns the file with the private key and the certificate of the server.
     */
    Path serverPem()
    {
        return directory.resolve("coordinator.pem");
    }

    /**
     * Returns the file with the certificate, which clients trust.
     */
    Path clientTrust()
    {
        return directory.resolve("coordinator.crt");
    }

    Path tokenKey()
    {
        return tokenKey;
    }

    X509Certificate certificate()
    {
        return certificate;
    }

    /**
     * Returns the certificate that a server has for clients that ask for its name.
     */
    Certificate certificateOf(URI server)
            throws IOException
    {
        try (SSLSocket socket = (SSLSocket) createContext().getSocketFactory().createSocket(server.getHost(), server.getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(ImmutableList.of(new SNIHostName(HOST)));
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /**
     * Returns a context that accepts every certificate. A context remembers sessions, and a resumed session has the
     * certificate of the first one.
     */
    private static SSLContext createContext()
    {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AcceptingTrustManager()}, null);
            return context;
        }
        catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Returns a client that accepts every certificate.
     */
    HttpClient httpClient()
    {
        return HttpClient.newBuilder().sslContext(createContext()).build();
    }

    String token(String user)
    {
        String content = encode("{\"alg\":\"HS256\"}") + "." + encode("{\"sub\":\"%s\",\"exp\":%s}".formatted(user, Instant.now().plusSeconds(3600).getEpochSecond()));
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(TOKEN_KEY, "HmacSHA256"));
            return content + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(content.getBytes(UTF_8)));
        }
        catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static String encode(String text)
    {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }

    /**
     * Runs a statement and returns the first column of its only row, or an empty text if it has no rows.
     */
    String query(URI server, String user, String sql)
            throws SQLException
    {
        try (Connection connection = connect(server, user);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet rows = statement.getResultSet()) {
                if (!rows.next()) {
                    return "";
                }
                String value = rows.getString(1);
                assertThat(rows.next()).as("a second row").isFalse();
                return value;
            }
        }
    }

    Connection connect(URI server, String user)
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("SSL", "true");
        properties.setProperty("SSLVerification", "NONE");
        properties.setProperty("accessToken", token(user));
        return DriverManager.getConnection("jdbc:trino://%s:%s".formatted(server.getHost(), server.getPort()), properties);
    }

    private static final class AcceptingTrustManager
            extends X509ExtendedTrustManager
    {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authenticationType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authenticationType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authenticationType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authenticationType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authenticationType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authenticationType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers()
        {
            return new X509Certificate[0];
        }
    }
}
