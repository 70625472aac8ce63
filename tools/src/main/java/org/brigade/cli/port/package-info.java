/** The command {@code brigade check-port}: whether a program's classes and sources fit Brigade's package mpi. */
package org.brigade.cli.port;
