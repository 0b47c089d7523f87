/**
 * The measuring loops of JMH, and the processes that run them. Start with {@link JmhRunner}.
 */
package io.albis.benchmarks.format.jmh;
