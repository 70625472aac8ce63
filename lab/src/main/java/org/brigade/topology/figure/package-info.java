/** Figures of a machine file: numbers with dimensions, tables of them, and the statements that declare them. */
package org.brigade.topology.figure;
