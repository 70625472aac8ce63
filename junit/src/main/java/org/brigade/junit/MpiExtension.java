package org.brigade.junit;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Runs tests with {@link MpiTest}: in a rank the test itself, elsewhere a job in its place. */
final class MpiExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        MpiTest test = AnnotationSupport.findAnnotation(method, MpiTest.class).orElseThrow();
        if (test.ranks().length == 0 || Arrays.stream(test.ranks()).anyMatch(ranks -> ranks < 1)) {
            throw new ExtensionConfigurationException("@MpiTest of " + method + " asks for ranks = "
                + Arrays.toString(test.ranks()) + "; name one number or several, each 1 or more");
        }
        if (test.timeout() < 1) {
            throw new ExtensionConfigurationException("@MpiTest of " + method + " has timeout = " + test.timeout()
                + "; name 1 second or more");
        }
        return Arrays.stream(test.ranks()).mapToObj(ranks -> new OnRanks(test, ranks));
    }

    private record OnRanks(MpiTest test, int ranks) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int invocation) {
            return ranks == 1 ? "1 rank" : ranks + " ranks";
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(RankMain.isRank() ? new World() : new Starter(test, ranks));
        }
    }

    /** Gives a test its communicator. */
    private static class World implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            Class<?> type = parameter.getParameter().getType();
            return type == Intracomm.class || type == Comm.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return MPI.COMM_WORLD;
        }
    }

    /** Starts a job in the place of the test and of what belongs to it. */
    private static final class Starter extends World implements InvocationInterceptor {
        private final MpiTest test;
        private final int ranks;

        Starter(MpiTest test, int ranks) {
            this.test = test;
            this.ranks = ranks;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return null; // the test is not called
        }

        @Override
        public void interceptBeforeEachMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptAfterEachMethod(Invocation<Void> invocation, ReflectiveInvocationContext<Method> method,
            ExtensionContext context) {
            invocation.skip();
        }

        @Override
        public void interceptTestTemplateMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> method, ExtensionContext context) throws Throwable {
            invocation.skip();
            Optional<Throwable> failure = new RankJob(ranks, test.timeout(), test.options()).run(context.getUniqueId());
            if (failure.isPresent()) {
                throw failure.get();
            }
        }
    }
}
