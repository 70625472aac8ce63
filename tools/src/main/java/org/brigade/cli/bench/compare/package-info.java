/** What {@code bench} prints and writes when it compares: tables, reports, and ratios that have fallen. */
package org.brigade.cli.bench.compare;
