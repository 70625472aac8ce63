/** Command doctor: checks of this machine, each with what it costs and the cure. */
package org.brigade.cli.doctor;
