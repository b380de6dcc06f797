// functions/v1 by functions-js as published: a folder of functions in TypeScript, written as for Supabase.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import {
  FunctionRegion,
  FunctionsClient,
  FunctionsError,
  FunctionsFetchError,
  FunctionsHttpError,
  FunctionsRelayError,
} from '@supabase/functions-js'
import WebSocket from 'ws'

import { createClient } from '../support/client.mjs'
import { asOwner } from '../support/database.mjs'
import { DENO, FUNCTIONS } from '../support/deno.mjs'
import { eventually, scratchFolder, startServer } from '../support/server.mjs'

let server
let functions

const client = (options = {}) =>
  new FunctionsClient(`${server.url}/functions/v1`, {
    headers: { Authorization: `Bearer ${server.keys.ANON_KEY}`, apikey: server.keys.ANON_KEY },
    ...options,
  })

before(async () => {
  server = await startServer({
    name: 'supabase-compat',
    args: ['--functions', FUNCTIONS],
    env: { DENO_PATH: DENO, GOTRUE_MAILER_AUTOCONFIRM: 'true' },
  })
  functions = client()
})
after(() => server?.stop())

/** Calls a function and returns its data; an error fails the test. */
async function resultOf(name, options) {
  const { data, error } = await functions.invoke(name, options)
  assert.equal(error, null, error && `${error} ${await error.context?.text?.()}`)
  return data
}

describe('a function that is a member of a Deno workspace', () => {
  test('imports JSR packages and workspace imports', async () => {
    const scratch = scratchFolder()
    const put = (name, text) => {
      mkdirSync(dirname(join(scratch.path, name)), { recursive: true })
      writeFileSync(join(scratch.path, name), text)
    }
    put('deno.jsonc', '{"workspace": ["functions/*"], "imports": {"ours": "jsr:@supabase/supabase-js@2"}}')
    put('functions/member/deno.json', '{"imports": {"@supabase/supabase-js": "jsr:@supabase/supabase-js@2"}}')
    put('functions/member/made.ts', "import { createClient } from '@supabase/supabase-js'\nexport const made = typeof createClient")
    put('functions/member/index.ts', "import { createClient } from 'ours'\nimport { made } from './made.ts'\nDeno.serve(() => Response.json([made, typeof createClient]))")
    const other = await startServer({
      name: 'supabase-compat',
      args: ['--functions', join(scratch.path, 'functions')],
      env: { DENO_PATH: DENO },
    })
    try {
      const headers = { Authorization: `Bearer ${other.keys.ANON_KEY}` }
      const answer = await fetch(`${other.url}/functions/v1/member`, { headers })
      assert.deepEqual([answer.status, await answer.json()], [200, ['function', 'function']], other.log())
    } finally {
      await other.stop()
      scratch.remove()
    }
  })
})

describe('requests', () => {
  test('an object is JSON', async () => {
    assert.deepEqual(await resultOf('hello', { body: { name: 'Ada' } }), { message: 'Hello Ada!' })
  })

  test('text, bytes and files keep their type', async () => {
    const sent = async (body, headers) => {
      const { type, text } = await resultOf('form', { body, headers })
      return [type, text]
    }
    assert.deepEqual(await sent('words, é'), ['text/plain', 'words, é'])
    assert.deepEqual(await sent(new TextEncoder().encode('bytes').buffer), ['application/octet-stream', 'bytes'])
    assert.deepEqual(await sent(new Blob(['a blob'])), ['application/octet-stream', 'a blob'])
    assert.deepEqual(await sent(new File(['a file'], 'f.txt')), ['application/octet-stream', 'a file'])
    assert.deepEqual(await sent('a,b', { 'content-type': 'text/csv' }), ['text/csv', 'a,b'])
    assert.deepEqual(await sent({ a: 1 }), ['application/json', '{"a":1}'])
  })

  test('a form keeps its fields and files', async () => {
    const form = new FormData()
    form.set('title', 'a title')
    form.set('file', new File(['in the file'], 'name.txt'))
    const seen = await resultOf('form', { body: form })
    assert.deepEqual(seen.form, { title: 'a title', file: ['name.txt', 'in the file'] })
  })

  test('a body of some megabytes arrives whole', async () => {
    const seen = await resultOf('form', { body: new Blob([new Uint8Array(5_000_000)]) })
    assert.equal(seen.length, 5_000_000)
  })

  test('body beyond the size limit is refused', async () => {
    const { error } = await functions.invoke('form', { body: new Blob([new Uint8Array(11 * 1024 * 1024)]) })
    assert.equal(error.context.status, 413)
    const enough = new AbortController()
    // A stream without pauses would leave the client no time to receive the answer.
    const endless = new ReadableStream({
      async pull(controller) {
        await new Promise(setImmediate)
        if (enough.signal.aborted) controller.close()
        else controller.enqueue(new Uint8Array(65_536))
      },
    })
    const request = { method: 'POST', body: endless, duplex: 'half', headers: functions.headers, signal: enough.signal }
    // The server answers and closes the connection; a client that is still writing may only notice the close.
    const answer = await fetch(`${server.url}/functions/v1/form`, request).catch(({ cause }) => cause)
    if (answer instanceof Error) assert.match(answer.code, /^(EPIPE|ECONNRESET|UND_ERR_SOCKET)$/)
    else assert.deepEqual([answer.status, (await answer.json()).code], [413, 'PAYLOAD_TOO_LARGE'])
    enough.abort()
    assert.deepEqual(await resultOf('hello', { body: { name: 'again' } }), { message: 'Hello again!' })
  })

  test('every method, path, query and header arrives', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const seen = await resultOf('form/a%20b/c?x=1&y=%26', { method, headers: { 'x-custom': 'kept' } })
      assert.deepEqual(
        [seen.method, seen.path, seen.query, seen.custom, seen.host],
        [method, '/form/a%20b/c', { x: '1', y: '&' }, 'kept', new URL(server.url).host],
      )
    }
  })

  test('region of client or call is forwarded', async () => {
    const seen = await resultOf('form', { region: FunctionRegion.EuWest3 })
    assert.deepEqual([seen.region, seen.query], ['eu-west-3', { forceFunctionRegion: 'eu-west-3' }])
    const { data } = await client({ region: FunctionRegion.UsEast1, headers: functions.headers }).invoke('form')
    assert.equal(data.region, 'us-east-1')
    assert.equal((await resultOf('form', { region: FunctionRegion.Any })).region, null)
  })

  test("caller's address cannot be forged by a header", async () => {
    const seen = await resultOf('form', { headers: { 'x-forwarded-for': '203.0.113.7' } })
    assert.equal(seen.from, '127.0.0.1')
  })

  test('sb-api-key header cannot be forged by a client', async () => {
    const headers = { apikey: server.keys.SUPABASE_PUBLISHABLE_KEY, 'sb-api-key': 'forged' }
    assert.equal((await resultOf('form', { headers })).key, 3)
    assert.equal((await resultOf('form', { headers: { 'sb-api-key': 'forged' } })).key, undefined)
  })

  test('a custom fetch function is used', async () => {
    const requests = []
    const customClient = client({
      headers: functions.headers,
      customFetch: (url, options) => {
        requests.push(url)
        return fetch(url, options)
      },
    })
    assert.equal((await customClient.invoke('hello', { body: { name: 'x' } })).error, null)
    assert.deepEqual(requests, [`${server.url}/functions/v1/hello`])
  })
})

describe('answers', () => {
  const answered = (answer) => resultOf(`form?answer=${answer}`)

  test('text, binary, form and empty answers are decoded', async () => {
    assert.equal(await answered('text'), 'plain words')
    assert.deepEqual(new Uint8Array(await (await answered('blob')).arrayBuffer()), new Uint8Array([1, 2, 3]))
    assert.equal(await (await answered('pdf')).text(), '%PDF-')
    assert.equal((await answered('form')).get('a'), '1')
    assert.equal(await answered('none'), '')
  })

  test('events are streamed before the answer ends', async () => {
    const response = await resultOf('stream?endless', { method: 'GET' })
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let seen = ''
    while (!seen.includes('data: 2')) seen += decoder.decode((await reader.read()).value)
    assert.ok(seen.startsWith('data: 0\n\ndata: 1\n\n'), seen)
    await reader.cancel()
    await eventually(() => server.log().includes('nobody listens any more'))
  })

  test('failure is an HTTP error with its body', async () => {
    const { data, error, response } = await functions.invoke('cors', { body: { fail: true } })
    assert.equal(data, null)
    assert.ok(error instanceof FunctionsHttpError && error instanceof FunctionsError)
    assert.equal(error.message, 'Edge Function returned a non-2xx status code')
    assert.equal(response.status, 400)
    assert.deepEqual(await error.context.json(), { error: 'as was asked' })
  })

  test('CORS headers of a function are not doubled', async () => {
    const headers = { ...functions.headers, origin: 'https://app.example' }
    const answer = await fetch(`${server.url}/functions/v1/cors`, { method: 'POST', headers, body: '{}' })
    assert.equal(answer.headers.get('access-control-allow-origin'), 'https://app.example')
    const other = await fetch(`${server.url}/functions/v1/form`, { headers })
    assert.equal(other.headers.get('access-control-allow-origin'), '*')
  })

  test('hanging call is ended by abort or timeout', async () => {
    const controller = new AbortController()
    const waiting = functions.invoke('misbehaves/hang', { signal: controller.signal })
    controller.abort()
    assert.ok((await waiting).error instanceof FunctionsFetchError)
    const { error } = await functions.invoke('misbehaves/hang', { timeout: 100 })
    assert.ok(error instanceof FunctionsFetchError)
    assert.equal(error.message, 'Failed to send a request to the Edge Function')
  })

  test('a WebSocket connection is upgraded', async () => {
    const url = `${server.url.replace('http', 'ws')}/functions/v1/socket`
    const socket = new WebSocket(url, { headers: functions.headers })
    const nextEvent = (event) => new Promise((resolve, reject) => socket.once(event, resolve).once('error', reject))
    await nextEvent('open')
    socket.send('hello')
    assert.equal(String(await nextEvent('message')), 'echo: hello')
    socket.send('bye')
    assert.equal(await nextEvent('close'), 1000)
  })
})

describe('who may call', () => {
  test('an invalid token is a relay error', async () => {
    const customClient = client({ headers: {} })
    customClient.setAuth('eyJhbGciOiJIUzI1NiJ9.e30.bad')
    const { error } = await customClient.invoke('hello', { body: { name: 'x' } })
    assert.ok(error instanceof FunctionsRelayError)
    assert.equal(error.message, 'Relay Error invoking the Edge Function')
    assert.equal(error.context.headers.get('sb-error-code'), 'UNAUTHORIZED_LEGACY_JWT')
    customClient.setAuth(server.keys.SERVICE_ROLE_KEY)
    assert.equal((await customClient.invoke('hello', { body: { name: 'x' } })).error, null)
  })

  test('OPTIONS request needs no token', async () => {
    const answer = await fetch(`${server.url}/functions/v1/cors`, { method: 'OPTIONS' })
    assert.deepEqual([answer.status, await answer.text()], [200, 'ok'])
  })

  test('names of no function are not found', async () => {
    for (const name of ['nothing', '_shared', '..%2fhello', '.env', '%2e%2e/hello', 'hello%00']) {
      const { error } = await functions.invoke(name)
      assert.equal(error?.context.status, 404, name)
    }
  })
})

describe('functions have', () => {
  test('an import map and a default export', async () => {
    assert.deepEqual(await resultOf('mapped'), { word: 'mapped', origin: 'https://app.example' })
  })

  test('packages of npm', async () => {
    assert.deepEqual(await resultOf('package', { body: { game: 'chess', slots: 2 } }), { ok: true, problems: 0 })
    const { error } = await functions.invoke('package', { body: {} })
    assert.deepEqual([error.context.status, await error.context.json()], [422, { ok: false, problems: 2 }])
  })

  test('database access as caller and as service', async () => {
    await asOwner(
      server,
      `create table public.notes (id int primary key, owner uuid, title text);
       alter table public.notes enable row level security;
       create policy "own notes" on public.notes for select using (owner = (select auth.uid()));
       insert into public.notes values (1, null, 'of nobody')`,
    )
    const person = createClient(server.url, server.keys.ANON_KEY)
    const { data } = await person.auth.signUp({ email: 'ada@example.org', password: 'correct horse' })
    await asOwner(server, `insert into public.notes values (2, '${data.user.id}', 'of Ada')`)
    await eventually(async () => (await person.from('notes').select()).data)
    const called = await person.functions.invoke('callback')
    assert.deepEqual(called.data, {
      own: ['of Ada'],
      all: ['of nobody', 'of Ada'],
      errors: [null, null],
      email: 'ada@example.org',
    })
  })

  test('background work after the answer', async () => {
    assert.deepEqual(await resultOf('background?work=50'), { done: 0 })
    await eventually(async () => (await resultOf('background')).done === 1)
    assert.deepEqual(await resultOf('background?work=fail'), { done: 1 })
    assert.deepEqual(await resultOf('background'), { done: 1 })
  })

  test('only their own secrets and folder', async () => {
    const seen = await resultOf('secrets')
    assert.equal(seen.mine, 'a secret of many words')
    for (const name of ['SUPABASE_URL', 'SUPABASE_ANON_KEY', 'SUPABASE_SERVICE_ROLE_KEY', 'SUPABASE_DB_URL', 'SUPABASE_JWKS']) {
      assert.ok(seen.names.includes(name), name)
    }
    assert.deepEqual(
      seen.names.filter((name) => /^(PATH|HOME|PWD|DENO_DIR|GOTRUE_|COMPAT_)/.test(name)),
      [],
    )
    assert.deepEqual(
      [seen.unset, seen.keys, seen.own, seen.passwd, seen.env, seen.write, seen.run === 'allowed'],
      [null, ['default'], 'allowed', 'NotCapable', 'NotCapable', 'NotCapable', false],
    )
    await eventually(() => server.log().includes('the secret is [secret] and the key [secret]'))
    assert.ok(!server.log().includes('a secret of many words'))
    assert.ok(!server.log().includes(server.keys.SERVICE_ROLE_KEY))
  })
})
