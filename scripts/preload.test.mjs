import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const script = (name) => fileURLToPath(new URL(name, import.meta.url))
const run = (...command) =>
  execFileSync(script('at-date'), ['2027-03-28 00:50', ...command], { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })

test('every process has the given date', () => {
  assert.match(run('bash', '-c', 'date +%FT%R; node -p "new Date().toISOString()"'), /^(2027-03-28T00:5\d.*\n){2}$/)
})

test('programs of PostgreSQL set their date themselves', () => {
  const version = 'env -i "$PG_BINDIR/postgres" --version; grep -c TEST_CLOCK_OFFSET "$PG_BINDIR/postgres"'
  assert.match(run('bash', '-c', version), /^postgres \(PostgreSQL\) .*\n1\n$/)
})

test('files are as old as the date says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'at-date-'))
  try {
    const times = 'touch "$0/new"; touch -d 2001-02-03 "$0/old"; stat -c %y "$0/new" "$0/old"'
    assert.match(run('bash', '-c', times, folder), /^2027-03-28 00:5.*\n2001-02-03 00:00:00.*\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('delayed processes keep their output and exit code', () => {
  const command = 'head -c 3 /dev/zero | wc -c; node -p 7; env -i "$PG_BINDIR/postgres" --version; grep -c TEST_DELAYS=5 "$PG_BINDIR/postgres"; exit 3'
  const { status, stdout, stderr } = spawnSync(script('with-delays'), ['5', 'bash', '-c', command], { encoding: 'utf8' })
  assert.match(stdout, /^3\n7\npostgres \(PostgreSQL\) .*\n1\n$/)
  assert.deepEqual({ status, stderr }, { status: 3, stderr: '' })
})
