/**
 * Generation of splits on the coordinator. The package prunes row groups by the predicate and by dynamic filters,
 * divides large row groups into several splits, and looks up the machines that store their data. Start with {@link
 * AlbisSplitSource}.
 */
package io.albis.trino.split;
