// The services alone, over an application's own schema, driven by supabase-js as published.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { startServer } from '../support/server.mjs'

const SCHEMA = `
  create table public.authors (id int primary key generated always as identity, name text not null unique);
  create table public.notes (
    id int primary key generated always as identity,
    author_id int references public.authors,
    owner uuid not null default auth.uid() references auth.users on delete cascade,
    title text not null check (length(title) > 0),
    labels text[] not null default '{}',
    stars int not null default 0
  );
  alter table public.authors enable row level security;
  alter table public.notes enable row level security;
  revoke all on public.notes from anon;
  create policy "everyone reads authors" on public.authors for select using (true);
  create policy "people keep their notes" on public.notes for all to authenticated
    using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
  insert into public.authors (name) values ('Ada'), ('Grace'), ('Margaret');
  create function public.add(a int, b int) returns int language sql immutable as 'select a + b';
  create function public.who() returns table (uid uuid, role text) language sql stable
    as 'select auth.uid(), auth.role()';
`

let server
let anon

const client = (key = server.keys.ANON_KEY) => createClient(server.url, key)

before(async () => {
  server = await startServer({
    name: 'supabase-compat',
    env: { GOTRUE_MAILER_AUTOCONFIRM: 'true' },
  })
  await asOwner(server, SCHEMA)
  anon = client()
  await cacheHasLoaded()
})
after(() => server?.stop())

/** Queries until the server knows the new tables: the notification arrives asynchronously. */
async function cacheHasLoaded() {
  for (;;) {
    const { error } = await anon.from('authors').select('id').limit(1)
    if (!error) return
    assert.equal(error.code, 'PGRST205')
  }
}

async function signedUp(email) {
  const person = client()
  const { data, error } = await person.auth.signUp({ email, password: 'correct horse', options: { data: { name: 'N' } } })
  assert.equal(error, null)
  return { person, user: data.user, session: data.session }
}

describe('reading', () => {
  test('rows are filtered, ordered, ranged and counted', async () => {
    const { data, count, status } = await anon
      .from('authors')
      .select('name', { count: 'exact' })
      .ilike('name', '%a%')
      .order('name', { ascending: false })
      .range(0, 1)
    assert.equal(status, 206)
    assert.equal(count, 3)
    assert.deepEqual(data, [{ name: 'Margaret' }, { name: 'Grace' }])
  })

  test('single row is an object, none an error', async () => {
    const one = await anon.from('authors').select('name').eq('name', 'Ada').single()
    assert.deepEqual(one.data, { name: 'Ada' })
    const none = await anon.from('authors').select('name').eq('name', 'Nobody').single()
    assert.equal(none.status, 406)
    assert.equal(none.error.code, 'PGRST116')
  })

  test('an unknown table is refused with PostgREST’s error', async () => {
    const { error, status } = await anon.from('nothing_here').select()
    assert.equal(status, 404)
    assert.equal(error.code, 'PGRST205')
  })

  test('an invalid filter is refused', async () => {
    const { error, status } = await anon.from('authors').select().filter('name', 'resembles', 'x')
    assert.equal(status, 400)
    assert.equal(error.code, 'PGRST100')
  })
})

describe('writing as a person', () => {
  test('rows are readable by their account only', async () => {
    const { person: ada } = await signedUp('ada@example.org')
    const { person: eve } = await signedUp('eve@example.org')
    const inserted = await ada
      .from('notes')
      .insert([{ title: 'one', author_id: 1, labels: ['a', 'b'] }, { title: 'two', author_id: 2, labels: ['c'] }])
      .select('title, labels, authors(name)')
      .order('title')
    assert.equal(inserted.error, null)
    assert.equal(inserted.status, 201)
    assert.deepEqual(inserted.data, [
      { title: 'one', labels: ['a', 'b'], authors: { name: 'Ada' } },
      { title: 'two', labels: ['c'], authors: { name: 'Grace' } },
    ])
    assert.deepEqual((await eve.from('notes').select()).data, [])
    const forbidden = await anon.from('notes').select()
    assert.equal(forbidden.status, 401)
    assert.equal(forbidden.error.code, '42501')
    const overlapping = await ada.from('notes').select('title').overlaps('labels', ['b', 'z'])
    assert.deepEqual(overlapping.data, [{ title: 'one' }])
  })

  test('rows are updated, upserted and deleted', async () => {
    const { person } = await signedUp('grace@example.org')
    const { data: made } = await person.from('notes').insert({ title: 'first' }).select('id').single()
    const updated = await person.from('notes').update({ stars: 5 }).eq('id', made.id).select('title, stars')
    assert.deepEqual(updated.data, [{ title: 'first', stars: 5 }])
    const service = client(server.keys.SERVICE_ROLE_KEY)
    const upserted = await service.from('authors').upsert({ name: 'Ada' }, { onConflict: 'name' }).select('name')
    assert.deepEqual([upserted.status, upserted.data], [200, [{ name: 'Ada' }]])
    const deleted = await person.from('notes').delete().eq('id', made.id)
    assert.equal(deleted.status, 204)
  })

  test('a violated constraint is reported with PostgreSQL’s message', async () => {
    const { person } = await signedUp('margaret@example.org')
    const { error, status } = await person.from('notes').insert({ title: '' })
    assert.equal(status, 400)
    assert.equal(error.code, '23514')
    assert.match(error.message, /notes_title_check/)
  })
})

describe('procedures', () => {
  test('answer POST and GET with the caller’s role', async () => {
    assert.equal((await anon.rpc('add', { a: 2, b: 3 })).data, 5)
    assert.equal((await anon.rpc('add', { a: 2, b: 3 }, { get: true })).data, 5)
    const { person, user } = await signedUp('katherine@example.org')
    const { data } = await person.rpc('who').single()
    assert.deepEqual(data, { uid: user.id, role: 'authenticated' })
  })

  test('an unknown one is refused', async () => {
    const { error, status } = await anon.rpc('subtract', { a: 1 })
    assert.equal(status, 404)
    assert.equal(error.code, 'PGRST202')
  })
})

describe('accounts', () => {
  test('sign in, refresh, update and sign out', async () => {
    await signedUp('dorothy@example.org')
    const person = client()
    const wrong = await person.auth.signInWithPassword({ email: 'dorothy@example.org', password: 'wrong' })
    assert.equal(wrong.error.code, 'invalid_credentials')
    const { data } = await person.auth.signInWithPassword({ email: 'dorothy@example.org', password: 'correct horse' })
    assert.equal(data.user.email, 'dorothy@example.org')
    const refreshed = await person.auth.refreshSession()
    assert.notEqual(refreshed.data.session.refresh_token, data.session.refresh_token)
    const changed = await person.auth.updateUser({ data: { name: 'Dorothy' } })
    assert.equal(changed.data.user.user_metadata.name, 'Dorothy')
    const token = refreshed.data.session.access_token
    assert.equal((await person.auth.signOut()).error, null)
    const lookup = await client().auth.getUser(token)
    assert.equal(lookup.error.name, 'AuthSessionMissingError')
  })

  test('token is verified by the published keys', async () => {
    const { person } = await signedUp('annie@example.org')
    const { data, error } = await person.auth.getClaims()
    assert.equal(error, null)
    assert.equal(data.header.alg, 'ES256')
    assert.equal(data.claims.email, 'annie@example.org')
  })

  test('taken address and short password have their errors', async () => {
    await signedUp('mary@example.org')
    const taken = await client().auth.signUp({ email: 'mary@example.org', password: 'correct horse' })
    assert.equal(taken.error.code, 'user_already_exists')
    const short = await client().auth.signUp({ email: 'new@example.org', password: '12345' })
    assert.equal(short.error.code, 'weak_password')
  })
})

describe('functions', () => {
  test('unknown function is a 404 HTTP error', async () => {
    const { error } = await anon.functions.invoke('nothing')
    assert.equal(error.name, 'FunctionsHttpError')
    assert.equal(error.context.status, 404)
  })
})
