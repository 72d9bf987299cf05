/**
 * The operators' command line: lists what waits for a person, shows what is kept of it, carries a
 * person's acts out through the ledger's API, and then wakes the workflows that wait.
 *
 * <p>It must never know SQL, nor print a result or a password.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
