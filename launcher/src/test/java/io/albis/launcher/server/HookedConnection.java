package io.albis.launcher.server;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;

/**
 * Runs a hook in place of each statement without a result, for example to lose the answer of the server.
 */
final class HookedConnection
{
    private HookedConnection() {}

    interface Hook
    {
        /**
         * @param execution sends the statement to the server and waits for its answer
         */
        boolean execute(String sql, Execution execution)
                throws Throwable;
    }

    interface Execution
    {
        boolean run()
                throws Throwable;
    }

    static Connection of(Connection connection, Hook hook)
    {
        return proxy(Connection.class, (_, method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            return result instanceof Statement statement ? hooked(statement, hook) : result;
        });
    }

    private static Statement hooked(Statement statement, Hook hook)
    {
        return proxy(Statement.class, (_, method, arguments) -> {
            if (method.getName().equals("execute")) {
                return hook.execute((String) arguments[0], () -> (boolean) invoke(statement, method, arguments));
            }
            return invoke(statement, method, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object[] arguments)
            throws Throwable
    {
        try {
            return method.invoke(target, arguments);
        }
        catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
