/**
 * The Trino connector: the plugin, its connector factory, the module that binds its classes, and the connector itself.
 * The sub-packages implement the parts of the connector. They translate between the interfaces of the engine and the
 * packages for tables and for the file format, which do not depend on the connector. Start with {@link
 * AlbisConnectorFactory}.
 */
package io.albis.trino;
