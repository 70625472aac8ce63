/** Command bench: the programs that ranks run, tables, comparisons with other programs, figures of bus bandwidth. */
package org.brigade.cli.bench;
