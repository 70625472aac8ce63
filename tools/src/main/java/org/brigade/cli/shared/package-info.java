/** What several commands share: sizes, names of collectives, fields of CSV, errors. */
package org.brigade.cli.shared;
