// `test db` with pgTAP, where the server has it (Debian's postgresql-15-pgtap; scripts/install-tools installs it).
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { runCommand } from '../support/command.mjs'
import { connectedAsOwner } from '../support/database.mjs'
import { PROJECTS } from '../support/project.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const NAME = 'supabase-compat'

let scratch
let server
let hasPgtap

const tests = () => join(scratch.path, 'club/supabase/tests')
const write = (name, text) => writeFileSync(join(tests(), name), text)
const run = (...files) =>
  runCommand(NAME, ['test', 'db', ...files.map((file) => join(tests(), file)), '--data-dir', server.dataDir, '--workdir', join(scratch.path, 'club')])

before(async () => {
  scratch = scratchFolder()
  cpSync(join(PROJECTS, 'club'), join(scratch.path, 'club'), { recursive: true })
  mkdirSync(tests(), { recursive: true })
  server = await startServer({ name: NAME, command: 'up', args: [join(scratch.path, 'club')] })
  const owner = await connectedAsOwner(server)
  const { rows } = await owner.query("select exists (select from pg_available_extensions where name = 'pgtap') as has_pgtap")
  hasPgtap = rows[0].has_pgtap
  await owner.end()
})
after(async () => {
  await server?.stop()
  scratch?.remove()
})

const PASSES = `begin;
select plan(4);
create table public.drafts (id int primary key, body text not null);
select has_table('public', 'drafts', 'drafts are there');
select col_not_null('public', 'drafts', 'body', 'drafts say something');
select throws_ok('insert into public.drafts values (1, null)', '23502');
set local role anon;
select is(current_user::text, 'anon', 'visitors read');
select * from finish();
rollback;
`
const FAILS = `begin;
select plan(3);
select ok(true, 'one holds');
select is(1 + 1, 3, 'arithmetic is known');
select todo('not written yet', 1);
select ok(false, 'to be done');
select * from finish();
rollback;
`

describe('tests of a project by pgTAP', () => {
  test('pass together, and leave nothing behind', async (t) => {
    if (!hasPgtap) return t.skip('the server has no pgtap')
    write('1_passes_test.sql', PASSES)
    write('2_passes_test.sql', PASSES)
    const { code, stdout } = await run()
    assert.equal(code, 0, stdout)
    assert.match(stdout, /1_passes_test\.sql \.\. ok\n.*2_passes_test\.sql \.\. ok\nAll tests successful\.\nFiles=2, Tests=8\nResult: PASS\n/)
  })

  test('fail with details and exit code 1', async (t) => {
    if (!hasPgtap) return t.skip('the server has no pgtap')
    write('1_passes_test.sql', PASSES)
    write('fails_test.sql', FAILS)
    const { code, stdout, output } = await run('1_passes_test.sql', 'fails_test.sql')
    assert.equal(code, 1, output)
    assert.match(stdout, /1_passes_test\.sql \.\. ok/)
    assert.match(stdout, /fails_test\.sql \.\. FAILED\n {4}not ok 2 - arithmetic is known\n/)
    assert.doesNotMatch(stdout, /to be done/)
    assert.match(stdout, /Files=2, Tests=7\nResult: FAIL\n/)
    assert.match(output, /1 of 2 files failed: \S+fails_test\.sql/)
  })

  test('that are broken do not stop the others', async (t) => {
    if (!hasPgtap) return t.skip('the server has no pgtap')
    write('broken_test.sql', 'begin; select plan(1); select nothing_like_this(); rollback;')
    write('short_test.sql', "begin; select plan(2); select pass('one'); rollback;")
    write('1_passes_test.sql', PASSES)
    const { code, stdout } = await run('broken_test.sql', 'short_test.sql', '1_passes_test.sql')
    assert.equal(code, 1)
    assert.match(stdout, /broken_test\.sql \.\. FAILED\n {4}function nothing_like_this\(\) does not exist/)
    assert.match(stdout, /short_test\.sql \.\. FAILED\n {4}planned 2 tests, ran 1/)
    assert.match(stdout, /1_passes_test\.sql \.\. ok/)
    assert.match(stdout, /Files=3/)
  })
})
