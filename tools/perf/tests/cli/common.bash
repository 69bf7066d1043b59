bats_require_minimum_version 1.5.0
# Shared by the suites: the binaries as scripts/run-tests hands them over.
: "${B:=$BATS_TEST_DIRNAME/../../../../build}"
B=$(cd "$B" && pwd)
: "${PERF:=$B/perf}" "${WORKLOADS:=$B/workloads}"
PEER=/usr/bin/perf # Debian's linux-perf
export PERF_PAGER=cat
