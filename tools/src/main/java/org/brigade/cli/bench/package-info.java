/**
 * Command bench: the programs that ranks run, tables, comparisons with other programs, the figures of buses.
 */
package org.brigade.cli.bench;
