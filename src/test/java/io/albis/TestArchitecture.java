package io.albis;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.io.Resources;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks which package uses which. Classes are public where another package needs them, so this table is what keeps the
 * inside of a package private.
 */
final class TestArchitecture
{
    private static final String ROOT = "io.albis.";

    // Names relative to io.albis. A new entry is a decision: the fewer, the better.
    private static final String USES = "packages.txt";

    private static final Pattern IMPORT = Pattern.compile("(?m)^import (static )?(?<package>io\\.albis(\\.[a-z]\\w*)+)\\.[A-Z]");

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.albis");

    @Test
    void testPackagesHaveNoCycles()
    {
        slices().matching("io.albis.(**)").should().beFreeOfCycles().check(classes);
    }

    /**
     * What is stored or exchanged must not decide which classes a node creates.
     */
    @Test
    void testDataHasNoClassNames()
    {
        noClasses().should().dependOnClassesThat().belongToAnyOf(ObjectInputStream.class, ObjectOutputStream.class, JsonTypeInfo.class).check(classes);
        noClasses().should().callMethod(Class.class, "forName", String.class)
                .orShould().callMethod(Class.class, "forName", String.class, boolean.class, ClassLoader.class)
                .orShould().callMethod(ClassLoader.class, "loadClass", String.class)
                .check(classes);
    }

    @Test
    void testPackagesUseOnlyWhatTheyMay()
            throws IOException
    {
        SortedMap<String, SortedSet<String>> used = new TreeMap<>();
        for (JavaClass javaClass : classes) {
            for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                String target = dependency.getTargetClass().getBaseComponentType().getPackageName();
                if (target.startsWith(ROOT) && !target.equals(javaClass.getPackageName())) {
                    used.computeIfAbsent(relative(javaClass.getPackageName()), _ -> new TreeSet<>()).add(relative(target));
                }
            }
        }
        addImports(used);
        assertThat(toText(used)).as(USES).isEqualTo(toText(allowed()));
    }

    /**
     * Adds the imports of the sources. The compiler inlines constants and erases type arguments, so classes do not show
     * every use.
     */
    private static void addImports(Map<String, SortedSet<String>> used)
            throws IOException
    {
        Path sources = Path.of("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).collect(toImmutableList())) {
                String source = sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.');
                for (MatchResult imported : IMPORT.matcher(Files.readString(file)).results().collect(toImmutableList())) {
                    if (!imported.group("package").equals(source)) {
                        used.computeIfAbsent(relative(source), _ -> new TreeSet<>()).add(relative(imported.group("package")));
                    }
                }
            }
        }
    }

    private static Map<String, SortedSet<String>> allowed()
            throws IOException
    {
        ImmutableSortedMap.Builder<String, SortedSet<String>> allowed = ImmutableSortedMap.naturalOrder();
        for (String line : Resources.readLines(Resources.getResource(TestArchitecture.class, USES), UTF_8)) {
            int arrow = line.indexOf(" -> ");
            allowed.put(line.substring(0, arrow), new TreeSet<>(Splitter.on(' ').splitToList(line.substring(arrow + 4))));
        }
        return allowed.buildOrThrow();
    }

    private static String toText(Map<String, SortedSet<String>> uses)
    {
        StringBuilder text = new StringBuilder();
        uses.forEach((source, targets) -> text.append(source).append(" -> ").append(String.join(" ", targets)).append('\n'));
        return text.toString();
    }

    private static String relative(String packageName)
    {
        return packageName.substring(ROOT.length());
    }
}
