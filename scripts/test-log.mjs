// Parses the logs of the test runners: how many tests passed and failed, and how long each took.

// The escape sequences with which runners colour their output.
const COLOUR = /\u001b\[[0-9;]*m/g

/** The summary lines of nextest, `cargo test`, vitest and node's runner. */
const SUMMARIES = [
  { line: /Summary \[.*?\] .*?(\d+) passed.*$/gm, failed: /(\d+) failed/ },
  { line: /^test result: .*? (\d+) passed; (\d+) failed/gm },
  { line: /^\s*Tests\s+.*?(\d+) passed.*$/gm, failed: /(\d+) failed/ },
  { line: /^(?:#|ℹ) pass (\d+)$/gm },
]

/** Tests that passed and failed, of all runners whose summary lines are in a log. */
export function countTests(log) {
  const text = log.replaceAll(COLOUR, '')
  let [passed, failed] = [0, 0]
  for (const { line, failed: other } of SUMMARIES) {
    for (const match of text.matchAll(line)) {
      passed += Number(match[1])
      failed += Number(match[2] ?? (other && other.exec(match[0])?.[1]) ?? 0)
    }
  }
  for (const match of text.matchAll(/^(?:#|ℹ) fail (\d+)$/gm)) failed += Number(match[1])
  return { passed, failed }
}

/** Lines that name a test and its time: of nextest, of node's and of vitest's reporters. */
const TIMES = [
  { line: /^\s*(?:PASS|FAIL|SLOW) \[\s*>?([\d.]+)s\] (?:\(\s*\d+\/\d+\) )?(.+)$/gm, unit: 1 },
  { line: /^\s*[✔✖] (.+?) \(([\d.]+)ms\)$/gm, unit: 1000, swapped: true },
  { line: /^\s*[✓×] (.+?)\s+([\d.]+)ms$/gm, unit: 1000, swapped: true },
]

/** The tests that took longest, longest first. */
export function slowest(outcomes, count) {
  const found = outcomes.flatMap(({ name: part, text = '' }) =>
    TIMES.flatMap(({ line, unit, swapped }) =>
      [...text.replaceAll(COLOUR, '').matchAll(line)].map((match) => ({
        part,
        name: (swapped ? match[1] : match[2]).trim(),
        seconds: Number(swapped ? match[2] : match[1]) / unit,
      })),
    ),
  )
  return found.sort((one, other) => other.seconds - one.seconds).slice(0, count)
}

/** Lines that name a test that failed: of nextest, `cargo test`, vitest and node's runner. */
const FAILURES = [
  /^\s*(?:FAIL|TIMEOUT|ABORT|SIG[A-Z]+|LEAK-FAIL|XFAIL|EXEC-FAIL) \[\s*>?[\d.]+s\] (?:\(\s*\d+\/\d+\) )?(.+)$/gm,
  /^test (.+) \.\.\. FAILED$/gm,
  /^\s*FAIL\s+(?:\|?\s*[\w-]+\s*\|?\s+)?(\S+\.test\.\S+.*)$/gm,
  /^test at (.+?):\d+:\d+\r?\n✖ (.+) \([\d.]+ms\)/gm,
]

/** The names of the tests that failed, each once. */
export function failures(log) {
  const text = log.replaceAll(COLOUR, '')
  return [...new Set(FAILURES.flatMap((line) => [...text.matchAll(line)].map(([, ...words]) => words.join(': ').trim())))]
}

/** The message of a panic: its test, its place, and at most four lines of text. */
const PANIC = /^ *thread '(.+?)'.* panicked at (.+?):\r?\n((?:(?! *(?:stack backtrace|note: )).+\n){1,4})/gm

/** What the Rust tests that failed said, each once; runners print it among the lines of all other tests. */
export function panics(log) {
  const text = log.replaceAll(COLOUR, '')
  const found = [...text.matchAll(PANIC)].map(([, test, place, message]) => `${test} (${place}): ${message.trim()}`)
  return [...new Set(found)]
}

/** The seeds of random input, as property tests print them; with a seed the input is the same again. */
export function seeds(log) {
  return [...new Set(log.match(/FUZZ_SEED=\d+/g) ?? [])]
}
