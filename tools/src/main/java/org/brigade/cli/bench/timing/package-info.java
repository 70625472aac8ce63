/** The clocks of {@code brigade bench}: warm-up until nothing compiles, a common start, medians. */
package org.brigade.cli.bench.timing;
