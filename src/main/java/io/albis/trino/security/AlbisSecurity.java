package io.albis.trino.security;

/**
 * Values of {@code albis.security}.
 */
public enum AlbisSecurity
{
    ALLOW_ALL,
    READ_ONLY,
    FILE,
    SYSTEM,
}
