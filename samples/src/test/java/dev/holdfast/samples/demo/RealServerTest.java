package dev.holdfast.samples.demo;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs on a real Temporal server where TEMPORAL_CLI names the tool; else it is skipped with one
 * visible line, and with CI=true it fails. Tests take the {@link RealServer} as a parameter.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("real-server")
@ExtendWith(RealServerExtension.class)
@interface RealServerTest {}
