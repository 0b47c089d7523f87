/**
 * Predicates that the engine pushes down. The package decides which predicates the reader enforces and which it uses
 * only for pruning. It also extracts predicates on CHAR columns and translates dynamic filters. Start with {@link
 * FilterPushdown}.
 */
package io.albis.trino.pushdown;
