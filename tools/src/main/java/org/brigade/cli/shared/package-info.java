/** What several commands read and print: sizes, names of collectives, fields of CSV, errors. */
package org.brigade.cli.shared;
