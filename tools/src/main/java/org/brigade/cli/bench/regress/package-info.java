/** {@code bench --regress}: expected ratios of kinds of machines, kept under version control, and what fell below. */
package org.brigade.cli.bench.regress;
