package io.albis.trino.security;

import com.google.inject.Binder;
import io.airlift.configuration.AbstractConfigurationAwareModule;
import io.trino.plugin.base.security.AllowAllSecurityModule;
import io.trino.plugin.base.security.ConnectorAccessControlModule;
import io.trino.plugin.base.security.FileBasedAccessControlModule;
import io.trino.plugin.base.security.ReadOnlySecurityModule;

/**
 * Installs the access control that {@code albis.security} selects.
 */
public class AlbisSecurityModule
        extends AbstractConfigurationAwareModule
{
    @Override
    protected void setup(Binder binder)
    {
        install(new ConnectorAccessControlModule());
        switch (buildConfigObject(AlbisSecurityConfig.class).getSecurity()) {
            case ALLOW_ALL -> install(new AllowAllSecurityModule());
            case READ_ONLY -> install(new ReadOnlySecurityModule());
            case FILE -> install(new FileBasedAccessControlModule());
            // for a connector without access control, the engine applies that of the server only
            case SYSTEM -> {}
        }
    }
}
