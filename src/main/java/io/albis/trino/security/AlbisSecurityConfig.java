package io.albis.trino.security;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.NotNull;

/**
 * Configuration property for the access control of a catalog.
 */
public class AlbisSecurityConfig
{
    private AlbisSecurity security = AlbisSecurity.ALLOW_ALL;

    @NotNull
    public AlbisSecurity getSecurity()
    {
        return security;
    }

    @Config("albis.security")
    @ConfigDescription("Access control of the catalog: allow-all, read-only, file (rules in security.config-file), or system (access control of the server only)")
    public AlbisSecurityConfig setSecurity(AlbisSecurity security)
    {
        this.security = security;
        return this;
    }
}
