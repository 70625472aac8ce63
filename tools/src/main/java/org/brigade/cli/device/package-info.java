/** What commands that work on GPUs share: jobs, memory, streams, transfers. */
package org.brigade.cli.device;
