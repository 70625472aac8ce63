/** Command simulate: calls on wirings that are not there, as tables, timelines and pictures. */
package org.brigade.cli.simulate;
