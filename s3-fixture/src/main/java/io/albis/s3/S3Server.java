package io.albis.s3;

import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs an S3 server in this process:
 * <ul>
 * <li>The process prints {@code ready} and its port to its standard output once it serves clients.
 * <li>The process exits at the end of its standard input, and therefore when the process that started it exits.
 * </ul>
 */
public final class S3Server
{
    private S3Server() {}

    /**
     * Runs the server.
     *
     * @param arguments a directory, in which each subdirectory is a bucket
     */
    public static void main(String[] arguments)
    {
        // Another process reads the standard output, so the server must not write to it
        PrintStream output = System.out;
        System.setOut(System.err);
        try {
            if (arguments.length != 1) {
                throw new IllegalArgumentException("Takes a folder");
            }
            S3Proxy server = start(Path.of(arguments[0]));
            output.println("ready " + server.getPort());
            output.flush();
            waitForEndOfInput();
        }
        catch (Throwable e) {
            e.printStackTrace();
            // The threads of the server would keep the failed process alive
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static S3Proxy start(Path folder)
            throws Exception
    {
        Files.createDirectories(folder);
        S3Proxy server = S3Proxy.builder()
                .endpoint(URI.create("http://127.0.0.1:0"))
                .awsAuthentication(AuthenticationType.NONE, null, null)
                .ignoreUnknownHeaders(true)
                .blobStore(new FilesystemNio2BlobStore(folder.toString()))
                .build();
        server.start();
        return server;
    }

    private static void waitForEndOfInput()
            throws IOException
    {
        System.in.transferTo(OutputStream.nullOutputStream());
    }
}
