/** {@code brigade bench}: operations besides messages and collectives, one class each; mpi_families.h has them in C. */
package org.brigade.cli.bench.families;
