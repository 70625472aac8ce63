/** The program that a class archive is made of. */
package org.brigade.rehearsal;
