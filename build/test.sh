# bin/albis test: one build of all modules, followed by the tests in tiers. bin/albis sources this file.

# The rows of the summary, and the reasons why something failed or did not run
summary=
reasons=

# run_tests LOG ARGUMENT...: runs Maven, prints its output, and copies the output to the log
run_tests() {
    local log=$1
    shift
    (run_maven "$@") 2>&1 </dev/null | tee "$log"
}

# add_row TIER RUN FAILED SKIPPED SECONDS
add_row() {
    local row
    # Always uses a decimal point, regardless of the locale
    row=$(LC_ALL=C awk -v tier="$1" -v run="$2" -v failed="$3" -v skipped="$4" -v seconds="$5" \
        'BEGIN { printf "%-22s %6s %7s %8s %8.1f", tier, run, failed, skipped, seconds / 60 }')
    summary=$summary$row$'\n'
}

add_reason() {
    reasons=$reasons$1$'\n'
}

# errors LOG: prints the errors in Maven's output as MODULE: PLUGIN: MESSAGE, followed by the first lines that name
# files
errors() {
    sed -nE -e 's/^\[ERROR\] Failed to execute goal on project ([^:]+: .*)$/\1/p' \
        -e 's/^\[ERROR\] Failed to execute goal [^:]+:([^:]+):[^:]+:[^ ]+( \([^)]*\))? on project ([^:]+): (.*)$/\3: \1: \4/p' "$1" |
        sed -E 's/ -> \[Help 1\]$//; s/-maven-plugin:/:/; s/: maven-([a-z]+)(-plugin)?:/: \1:/'
    # The compiler and most checks print a file and a position. The formatter prints only the file.
    grep -E '^\[ERROR\] .*\.java:\[?[0-9]|^\[WARNING\]   /.*\.java$' "$1" | sed -E 's/^\[[A-Z]+\] *//' | sort -u | head -n 20 || true
}

# first_error LOG: prints the first error in Maven's output, or that a disk is full, because the log then ends before it
first_error() {
    local found
    found=$(errors "$1" 2>/dev/null | head -n 1) || true
    [ -n "$found" ] || found=$(full_disk) || true
    [ -n "$found" ] || found='the log has no error'
    printf '%s.' "${found%.}"
}

# run_tier NAME ARGUMENT...: runs the tests of one Maven run and adds a row to the summary
run_tier() {
    local name=$1 start=$SECONDS code=0
    shift
    run_tests "$work/test/$name.log" "$@" -Dair.check.skip-all=true || code=$?
    add_tier "$name" "$code" $((SECONDS - start))
}

# start_tier NAME ARGUMENT...: starts the tests of one Maven run in the background. finish_tier ends it
start_tier() {
    local name=$1
    shift
    background_tier=$name
    (
        start=$SECONDS code=0
        run_maven "$@" -Dair.check.skip-all=true >"$work/test/$name.log" 2>&1 </dev/null &
        trap 'kill $! 2>/dev/null' TERM
        wait $! || code=$?
        printf '%s %s\n' "$code" $((SECONDS - start)) >"$work/test/$name.result"
    ) &
    background=$!
}

# finish_tier: waits for the tier that runs in the background, prints its output, and adds a row to the summary
finish_tier() {
    local name=$background_tier code=1 seconds=0
    wait "$background" || true
    background=
    cat "$work/test/$name.log"
    # Without a result, the shell of the tier was killed
    read -r code seconds <"$work/test/$name.result" || true
    add_tier "$name" "$code" "$seconds"
}

# add_tier NAME CODE SECONDS: adds a row with the results in the log of a tier to the summary
add_tier() {
    local name=$1 code=$2 seconds=$3 log=$work/test/$1.log counts run failed skipped reason
    # Surefire's report files are unreliable, because two test engines overwrite each other's files
    counts=$(sed -nE 's/^\[[A-Z]+\] +Tests run: ([0-9]+), Failures: ([0-9]+), Errors: ([0-9]+), Skipped: ([0-9]+)$/\1 \2 \3 \4/p' "$log" |
        awk '{ run += $1; failed += $2 + $3; skipped += $4 } END { if (NR > 0) print run, failed, skipped }')
    if [ -z "$counts" ]; then
        add_row "$name" - - - "$seconds"
        add_reason "The tests of $name did not run: $(first_error "$log") See $log"
        return 1
    fi
    read -r run failed skipped <<<"$counts"
    add_row "$name" "$run" "$failed" "$skipped" "$seconds"
    # Tests that this machine cannot run print why
    while IFS= read -r reason; do
        add_reason "$reason."
    done < <(sed -n '/^Test[A-Za-z#]* is skipped: /p' "$log")
    if [ "$run" -eq 0 ]; then
        add_reason "The tests of $name did not run: Maven found none. See $log"
        return 1
    fi
    if [ "$failed" -gt 0 ]; then
        add_reason "$failed tests of $name failed. See $log"
        return 1
    fi
    if [ "$code" -ne 0 ]; then
        add_reason "The tests of $name ended with an error: $(first_error "$log") See $log"
        return 1
    fi
}

# The images already exist. The tests may not be compiled yet, because bin/albis docker test runs only this tier.
run_tier_of_containers() {
    run_tier containers -pl :albis-launcher test-compile surefire:test@container-test
}

# The container tests of bin/albis test --all
test_containers() {
    local reason start=$SECONDS code=0
    reason=$(why_no_docker)
    if [ -n "$reason" ]; then
        add_row containers - - - 0
        add_reason "The tests of containers are skipped: $reason."
        return
    fi
    # A process of its own, because this shell prints the summary after a failure. In a subshell, commands would not end
    # after an error: bash ignores set -e in everything that is called before ||.
    "$BASH" "$root/bin/albis" docker build &
    background=$!
    wait "$background" || code=$?
    background=
    if [ "$code" -ne 0 ]; then
        add_row containers - - - $((SECONDS - start))
        add_reason "The tests of containers did not run: their images could not be built."
        return 1
    fi
    docker_settings
    run_tier_of_containers
}

# build_for_tests TIER: compiles, checks, and packages all modules, so that the tiers only run tests
build_for_tests() {
    local log=$work/test/build.log start=$SECONDS code=0 found
    touch "$work/build.start"
    remove_products "${MODULES[@]}"
    # --fail-at-end also reports errors in modules that do not depend on the first failed module
    run_tests "$log" verify -DskipTests --fail-at-end || code=$?
    if [ "$code" -eq 0 ]; then
        set_stamps "${MODULES[@]}"
        # Builds the other zips, which slow tests unpack, and the other artifacts of a release
        if [ "$1" = all ]; then
            log=$work/test/release.log
            run_tests "$log" package -pl :albis-trino -Pfull,release -Dmaven.test.skip=true -Dair.check.skip-all=true || code=$?
            log=$work/test/no-hdfs.log
            run_tests "$log" package -pl :albis-trino -Pno-hdfs -Dmaven.test.skip=true -Dair.check.skip-all=true || code=$?
        fi
    fi
    add_row "style and build" - - - $((SECONDS - start))
    if [ "$code" -ne 0 ]; then
        found=$(errors "$log") || true
        [ -n "$found" ] || found=$(full_disk) || true
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

# test_everything TIER: runs the tests of a tier, which is ordinary or all
test_everything() {
    local code=0 tier=$1 options=() start=$SECONDS
    [ "$tier" != all ] || options=(-Dalbis.tests=all)
    find_jdk
    lock_build
    find_maven
    rm -rf "$work/test"
    mkdir -p "$work/test"
    if build_for_tests "$tier"; then
        # The other tiers still run after one of them fails
        run_tier plugin -pl :albis-trino initialize surefire:test@default-test ${options[@]+"${options[@]}"} || code=1
        # The tests of the launcher and the server leave a core idle, so other tiers run at the same time. Placement tests
        # run the block placement policy in NameNodes, and mostly wait for heartbeats.
        start_tier placement -pl :albis-placement initialize surefire:test@default-test
        run_tier launcher -pl :albis-launcher initialize surefire:test@default-test ${options[@]+"${options[@]}"} || code=1
        if [ "$tier" = all ]; then
            finish_tier || code=1
            start_tier benchmarks -pl :albis-trino,:albis-benchmarks test -Dalbis.tests.skip-plugin=true
        fi
        run_tier server -pl :albis-launcher initialize surefire:test@server-test ${options[@]+"${options[@]}"} || code=1
        finish_tier || code=1
        # Maven resolves the plugin of this checkout only if the run includes its module
        run_tier examples -pl :albis-trino,:albis-examples test -Dalbis.tests.skip-plugin=true || code=1
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
