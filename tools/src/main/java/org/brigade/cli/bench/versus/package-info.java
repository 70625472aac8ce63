/**
 * What {@code bench --vs} needs: measured rows, other libraries' benchmarks, runs in turn, and the limit of the
 * machine.
 */
package org.brigade.cli.bench.versus;
