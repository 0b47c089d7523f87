# bin/albis test: one build of everything, then the tests in tiers. A part of bin/albis, which reads it.

# The rows of the summary, and why something failed or did not run
summary=
reasons=

# run_tests LOG ARGUMENT...: Maven's output, with a copy of it in the log
run_tests() {
    local log=$1
    shift
    (run_maven "$@") 2>&1 </dev/null | tee "$log"
}

# add_row TIER RUN FAILED SKIPPED SECONDS
add_row() {
    local row
    # Without the decimal point of the locale
    row=$(LC_ALL=C awk -v tier="$1" -v run="$2" -v failed="$3" -v skipped="$4" -v seconds="$5" \
        'BEGIN { printf "%-22s %6s %7s %8s %8.1f", tier, run, failed, skipped, seconds / 60 }')
    summary=$summary$row$'\n'
}

add_reason() {
    reasons=$reasons$1$'\n'
}

# errors LOG: what Maven says went wrong, as MODULE: PLUGIN: MESSAGE, and the first lines that name files
errors() {
    sed -nE -e 's/^\[ERROR\] Failed to execute goal on project ([^:]+: .*)$/\1/p' \
        -e 's/^\[ERROR\] Failed to execute goal [^:]+:([^:]+):[^:]+:[^ ]+( \([^)]*\))? on project ([^:]+): (.*)$/\3: \1: \4/p' "$1" |
        sed -E 's/ -> \[Help 1\]$//; s/-maven-plugin:/:/; s/: maven-([a-z]+)(-plugin)?:/: \1:/'
    # The compiler and most checks name a file and a place in it, and the formatter only a file
    grep -E '^\[ERROR\] .*\.java:\[?[0-9]|^\[WARNING\]   /.*\.java$' "$1" | sed -E 's/^\[[A-Z]+\] *//' | sort -u | head -n 20 || true
}

# run_tier NAME ARGUMENT...: the tests that one run of Maven executes, as a row of the summary
run_tier() {
    local name=$1 log=$work/test/$1.log start=$SECONDS code=0 counts run failed skipped
    shift
    run_tests "$log" "$@" -Dair.check.skip-all=true || code=$?
    # Surefire's files would not do: two test engines overwrite each other's
    counts=$(sed -nE 's/^\[[A-Z]+\] +Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+)$/\1 \2 \3 \4/p' "$log" |
        awk '{ run += $1; failed += $2 + $3; skipped += $4 } END { if (NR > 0) print run, failed, skipped }')
    if [ -z "$counts" ]; then
        add_row "$name" - - - $((SECONDS - start))
        add_reason "The tests of $name did not run: $(errors "$log" | head -n 1). See $log"
        return 1
    fi
    read -r run failed skipped <<<"$counts"
    add_row "$name" "$run" "$failed" "$skipped" $((SECONDS - start))
    if [ "$run" -eq 0 ]; then
        add_reason "The tests of $name did not run: Maven found none. See $log"
        return 1
    fi
    if [ "$failed" -gt 0 ]; then
        add_reason "$failed tests of $name failed. See $log"
        return 1
    fi
    if [ "$code" -ne 0 ]; then
        add_reason "The tests of $name did not end as they should: $(errors "$log" | head -n 1). See $log"
        return 1
    fi
}

# Their images exist already. bin/albis docker test runs them alone, so the tests may not be compiled yet
run_tier_of_containers() {
    run_tier containers -pl :albis-launcher test-compile surefire:test@container-test
}

# A part of bin/albis test --all
test_containers() {
    local reason start=$SECONDS code=0
    reason=$(why_no_docker)
    if [ -n "$reason" ]; then
        add_row containers - - - 0
        add_reason "The tests of containers are skipped: $reason."
        return
    fi
    # In the background, since it may end the shell. This one has a summary to print
    (
        trap clean_up EXIT
        docker_prepare_test
    ) &
    wait $! || code=$?
    if [ "$code" -ne 0 ]; then
        add_row containers - - - $((SECONDS - start))
        add_reason "The tests of containers did not run: their images could not be built."
        return 1
    fi
    docker_settings
    run_tier_of_containers
}

# build_for_tests TIER: compiles, checks, and packages all modules, so that the tiers only have to test
build_for_tests() {
    local log=$work/test/build.log start=$SECONDS code=0 found
    touch "$work/build.start"
    remove_products "${MODULES[@]}"
    # Also reports what is wrong in modules that do not depend on the first one that fails
    run_tests "$log" verify -DskipTests --fail-at-end || code=$?
    if [ "$code" -eq 0 ]; then
        set_stamps "${MODULES[@]}"
        # The zip with all file systems, which a slow test unpacks, and the jars that a release has besides the zip
        if [ "$1" = all ]; then
            log=$work/test/release.log
            run_tests "$log" package -pl :albis-trino -Pfull,release -Dmaven.test.skip=true -Dair.check.skip-all=true || code=$?
        fi
    fi
    add_row "style and build" - - - $((SECONDS - start))
    if [ "$code" -ne 0 ]; then
        found=$(errors "$log")
        add_reason "The build failed before the tests ran: ${found:-Maven ended with exit code $code}"
        add_reason "See $log"
    fi
    return "$code"
}

print_summary() {
    printf '\n%-22s %6s %7s %8s %8s\n%s' tier run failed skipped minutes "$summary"
    if [ -n "$reasons" ]; then
        printf '\n%s' "$reasons"
    fi
}

# test_everything TIER: ordinary or all
test_everything() {
    local code=0 tier=$1 options=() start=$SECONDS
    [ "$tier" != all ] || options=(-Dalbis.tests=all)
    find_jdk
    lock_build
    find_maven
    rm -rf "$work/test"
    mkdir -p "$work/test"
    if build_for_tests "$tier"; then
        # A tier that fails does not keep the others from running
        run_tier plugin -pl :albis-trino initialize surefire:test@default-test ${options[@]+"${options[@]}"} || code=1
        run_tier launcher -pl :albis-launcher initialize surefire:test@default-test ${options[@]+"${options[@]}"} || code=1
        run_tier server -pl :albis-launcher initialize surefire:test@server-test ${options[@]+"${options[@]}"} || code=1
        # For NameNodes
        run_tier placement -pl :albis-placement initialize surefire:test@default-test || code=1
        # Maven finds the plugin of this checkout only if it is a part of the run
        run_tier examples -pl :albis-trino,:albis-examples test -Dalbis.tests.skip-plugin=true || code=1
        if [ "$tier" = all ]; then
            run_tier benchmarks -pl :albis-trino,:albis-benchmarks test -Dalbis.tests.skip-plugin=true || code=1
        fi
        unlock_build
        if [ "$tier" = all ]; then
            test_containers || code=1
        fi
    else
        code=1
    fi
    add_row "everything" "" "" "" $((SECONDS - start))
    print_summary
    return "$code"
}
