/** What {@code bench --report} writes: one page, picture or JSON file with all that was measured. */
package org.brigade.cli.bench.report;
