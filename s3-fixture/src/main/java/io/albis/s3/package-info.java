/**
 * An S3 server for tests, in a separate process. Start with {@link S3Server}.
 */
package io.albis.s3;
