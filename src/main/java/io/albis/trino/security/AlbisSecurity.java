package io.albis.trino.security;

/**
 * Kinds of access control: the values of {@code albis.security}.
 */
public enum AlbisSecurity
{
    ALLOW_ALL,
    READ_ONLY,
    FILE,
    SYSTEM,
}
