/** What an application gets that has the starter on its class path. */
@NullMarked
package dev.holdfast.spring;

import org.jspecify.annotations.NullMarked;
