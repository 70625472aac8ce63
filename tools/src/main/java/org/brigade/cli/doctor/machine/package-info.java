/** Checks of processors, memory, limits and the kernel. */
package org.brigade.cli.doctor.machine;
