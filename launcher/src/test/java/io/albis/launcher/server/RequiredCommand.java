package io.albis.launcher.server;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

/**
 * Skips a test, with a reason, where a command of bash fails. The summary of bin/albis test repeats the reason.
 */
@Retention(RUNTIME)
@Target({TYPE, METHOD})
@ExtendWith(RequiredCommandCondition.class)
public @interface RequiredCommand
{
    String value();

    /**
     * Returns what the test cannot do without the command.
     */
    String reason();
}
