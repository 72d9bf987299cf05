/**
 * Holdfast in a Spring Boot application: auto-configuration and properties, nothing else.
 *
 * <p>Decides nothing that the plugin could: it finds what the plugin needs among the beans, and
 * refuses where it cannot tell. The only package that knows Spring.
 */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
