/** Command verify: proves schedules, and compares the results of calls on GPUs with what MPI defines. */
package org.brigade.cli.verify;
