/** What commands share that work on GPUs: jobs, memory, streams, transfers. */
package org.brigade.cli.device;
