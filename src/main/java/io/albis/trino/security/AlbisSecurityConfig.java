package io.albis.trino.security;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.NotNull;

/**
 * Who decides what users may do in a catalog.
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
    @ConfigDescription("Access control of the catalog: allow-all, read-only, file (the rules in security.config-file), or system (only that of the server)")
    public AlbisSecurityConfig setSecurity(AlbisSecurity security)
    {
        this.security = security;
        return this;
    }
}
