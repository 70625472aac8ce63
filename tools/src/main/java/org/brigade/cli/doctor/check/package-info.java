/** What a check of doctor is, and what it answers. */
package org.brigade.cli.doctor.check;
