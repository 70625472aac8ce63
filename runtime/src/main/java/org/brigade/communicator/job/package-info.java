/** What the communicators of one job share, and the unions of jobs that a process is in. */
package org.brigade.communicator.job;
