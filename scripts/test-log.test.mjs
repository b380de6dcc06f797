import assert from 'node:assert/strict'
import { test } from 'node:test'

import { countTests, failures, panics, seeds, slowest } from './test-log.mjs'

const NEXTEST = `
        PASS [   0.812s] (   4/1892) ranking::it rows::texts::a_text_is_kept
        FAIL [   0.016s] (   5/1892) ranking::it rows::names::a_name_is_kept
  stderr ───
    property test name: FUZZ_SEED=77

    thread 'rows::names::a_name_is_kept' (32) panicked at crates/ranking/tests/it/rows/names.rs:81:13:
    assertion \`left == right\` failed
      left: "1"
     right: "0"
    stack backtrace:
       0: std::panicking::panic_handler
    panicked with
    run it again with FUZZ_SEED=77
     TIMEOUT [ 360.016s] (   6/1892) compat-pg::it queue::a_job_ends
     SIGABRT [   0.010s] (   7/1892) gamewire status::random_packets
     Summary [ 361.000s] 4 tests run: 1 passed, 3 failed, 0 skipped
        FAIL [   0.016s] (   5/1892) ranking::it rows::names::a_name_is_kept
`

const VITEST = `
     \u001b[31m× is wrong\u001b[39m 12ms
 \u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m |shared| src/lib/day.test.ts > a day > is wrong
 FAIL  src/lib/hour.test.ts [ src/lib/hour.test.ts ]
      Tests  1 failed | 1 passed (2)
`

const NODE = `
✔ two is right (0.165218ms)
✖ one (of two) is wrong (2.414512ms)
ℹ pass 1
ℹ fail 1

✖ failing tests:

test at tests/browser/vote.test.mjs:2:45
✖ one (of two) is wrong (2.414512ms)
  Error: x
`

test('failed nextest tests are listed once', () => {
  assert.deepEqual(failures(NEXTEST), [
    'ranking::it rows::names::a_name_is_kept',
    'compat-pg::it queue::a_job_ends',
    'gamewire status::random_packets',
  ])
})

test('failures of other runners are listed by name', () => {
  assert.deepEqual(failures(VITEST), [
    'src/lib/day.test.ts > a day > is wrong',
    'src/lib/hour.test.ts [ src/lib/hour.test.ts ]',
  ])
  assert.deepEqual(failures(NODE), ['tests/browser/vote.test.mjs: one (of two) is wrong'])
  assert.deepEqual(failures('test names::x ... FAILED\ntest names::y ... ok'), ['names::x'])
})

test('a panic is quoted without its backtrace', () => {
  const message = 'assertion `left == right` failed\n      left: "1"\n     right: "0"'
  const expected = [`rows::names::a_name_is_kept (crates/ranking/tests/it/rows/names.rs:81:13): ${message}`]
  assert.deepEqual(panics(NEXTEST + NEXTEST), expected)
  assert.deepEqual(panics(NODE), [])
})

test('seeds of random input are found once each', () => {
  assert.deepEqual(seeds(NEXTEST), ['FUZZ_SEED=77'])
  assert.deepEqual(seeds(VITEST), [])
})

test('tests are counted and timed over all runners', () => {
  assert.deepEqual(countTests(NEXTEST + VITEST + NODE), { passed: 3, failed: 5 })
  const longest = slowest([{ name: 'rust', text: NEXTEST }], 1)
  assert.deepEqual(longest, [{ part: 'rust', name: 'ranking::it rows::texts::a_text_is_kept', seconds: 0.812 }])
})
