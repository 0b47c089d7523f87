package io.albis;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.Optional;

import static com.google.common.hash.Hashing.murmur3_32_fixed;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

/**
 * Runs all tests that a class declares, and a random part of those that it inherits. It is for long suites, most of
 * which test the engine. The seed is printed, and {@code -Dsuite.seed=SEED} selects the same tests again. With
 * {@code -Dsuite.divisor=1}, all run.
 */
@Retention(RUNTIME)
@Target(TYPE)
@ExtendWith(RandomPart.Condition.class)
public @interface RandomPart
{
    /**
     * The number of inherited tests is divided by it.
     */
    int divisor();

    final class Condition
            implements ExecutionCondition
    {
        private static final long SEED = Long.getLong("suite.seed", System.nanoTime());

        static {
            System.out.println("Parts of long suites, with -Dsuite.seed=" + SEED);
        }

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context)
        {
            Optional<Method> method = context.getTestMethod();
            if (method.isEmpty() || method.get().getDeclaringClass().equals(context.getRequiredTestClass())) {
                return enabled("The class declares it");
            }
            RandomPart part = context.getRequiredTestClass().getAnnotation(RandomPart.class);
            int divisor = Integer.getInteger("suite.divisor", part.divisor());
            int hash = murmur3_32_fixed(Long.hashCode(SEED)).hashUnencodedChars(method.get().getName()).asInt();
            return Math.floorMod(hash, divisor) == 0 ? enabled("It is in the random part") : disabled("It is not in the random part");
        }
    }
}
