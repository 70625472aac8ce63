/** Command simulate: calls on simulated wirings, as tables, timelines and pictures. */
package org.brigade.cli.simulate;
