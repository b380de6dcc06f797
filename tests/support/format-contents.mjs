// Contents of the data-format fixtures: written through the API when a fixture is made, read through it in the tests.
import assert from 'node:assert/strict'

import { createClient } from './client.mjs'
import { asOwner } from './database.mjs'

const PERSON = { email: 'ada@example.org', password: 'a password of before' }
const OBJECT = ['notes/first.txt', 'bytes of before']

/** The programs that have fixtures. */
export const PROGRAMS = ['palmares', 'supabase-compat']

/** Writes an account and a file; into a project also a table with rows, a secret and a queue. */
export async function write(name, server) {
  const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  const user_metadata = { username: 'Ada', lang: 'en' }
  const made = await service.auth.admin.createUser({ ...PERSON, user_metadata, email_confirm: true })
  assert.equal(made.error, null)
  assert.equal((await service.storage.createBucket('kept')).error, null)
  assert.equal((await service.storage.from('kept').upload(...OBJECT)).error, null)
  if (name === 'palmares') return
  await asOwner(
    server,
    `create table public.notes (id bigint generated always as identity primary key, owner uuid not null references auth.users, body text not null);
     alter table public.notes enable row level security;
     create policy "owners read theirs" on public.notes for select to authenticated using (owner = (select auth.uid()));
     create policy "owners write theirs" on public.notes for insert to authenticated with check (owner = (select auth.uid()));
     insert into public.notes (owner, body) select id, 'a row of before' from auth.users;
     select vault.create_secret('a secret of before', 'token');
     select pgmq.create('work'); select pgmq.send('work', '{"from": "before"}');`,
  )
}

/** Reads the contents as clients do, and writes another row. */
export async function readBack(name, server) {
  const person = createClient(server.url, server.keys.ANON_KEY)
  const { data: signedIn, error } = await person.auth.signInWithPassword(PERSON)
  assert.equal(error, null)
  const { id } = signedIn.user
  const service = createClient(server.url, server.keys.SERVICE_ROLE_KEY)
  const file = await service.storage.from('kept').download(OBJECT[0])
  assert.equal(file.error, null)
  assert.equal(await file.data.text(), OBJECT[1])
  if (name === 'palmares') {
    const { data: profile } = await person.from('profiles').select('username').eq('id', id).single()
    assert.deepEqual(profile, { username: 'Ada' })
    return
  }
  assert.equal((await person.from('notes').insert({ owner: id, body: 'a row of now' })).error, null)
  const { data: notes } = await person.from('notes').select('id, body').order('id')
  assert.deepEqual(notes, [
    { id: 1, body: 'a row of before' },
    { id: 2, body: 'a row of now' },
  ])
  const secrets = "select decrypted_secret as secret from vault.decrypted_secrets where name = 'token'"
  assert.deepEqual(await asOwner(server, secrets), [{ secret: 'a secret of before' }])
  const [{ message }] = await asOwner(server, "select message from pgmq.read('work', 0, 1)")
  assert.deepEqual(message, { from: 'before' })
}
