// The reads and writes of the site's pages, with supabase-js as published, against the demonstration's
// data.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { solveCaptcha } from '../support/captcha.mjs'
import { createClient } from '../support/client.mjs'
import { eventually, startServer } from '../support/server.mjs'

const PASSWORD = 'palmares-demo'

let server
let visitor

const client = () => createClient(server.url, server.keys.ANON_KEY)

async function signedIn(email) {
  const person = client()
  const { data, error } = await person.auth.signInWithPassword({ email, password: PASSWORD })
  assert.equal(error, null)
  return { person, user: data.user }
}

before(async () => {
  server = await startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } })
  visitor = client()
})
after(() => server?.stop())

const ranked = () =>
  visitor
    .from('servers_public')
    .select('id, slug, name, tags, monthly_votes, is_prestige, games(name, slug, logo_url, is_steam)', { count: 'exact' })
    .order('is_prestige', { ascending: false })
    .order('monthly_votes', { ascending: false })
    .order('id')

describe('the ranking', () => {
  test('has pages of 25 with a count', async () => {
    const { data, count, status, error } = await ranked().range(0, 24)
    assert.equal(error, null)
    assert.equal(status, 206)
    assert.equal(data.length, 25)
    assert.ok(count >= 120, `${count} servers`)
    assert.ok(data.every((row) => typeof row.games.name === 'string'))
    const votes = data.filter((row) => !row.is_prestige).map((row) => row.monthly_votes)
    assert.deepEqual(votes, [...votes].sort((a, b) => b - a))
  })

  test('filters by game, overlapping tags and promotion', async () => {
    const { data: game } = await visitor.from('games').select('id').eq('slug', 'minecraft').single()
    const { data: first } = await ranked().eq('game_id', game.id).not('tags', 'eq', '{}').limit(1).single()
    const { data } = await ranked().eq('game_id', game.id).overlaps('tags', [first.tags[0]])
    assert.ok(data.length >= 1)
    assert.ok(data.every((row) => row.tags.includes(first.tags[0])))
    const promoted = await visitor
      .from('servers_public')
      .select('id')
      .eq('is_sponsored', true)
      .gt('prestige_expires_at', new Date().toISOString())
    assert.ok(promoted.data.length >= 1)
  })

  test('finds five servers by partial name', async () => {
    const { data: any } = await visitor.from('servers_public').select('name').limit(1).single()
    const part = any.name.slice(0, 3)
    const { data, error } = await visitor
      .from('servers_public')
      .select('id, slug, name, description, ip_address, total_votes, online_players, max_players, is_online, games(name, logo_url, is_steam)')
      .eq('is_approved', true)
      .eq('is_hidden', false)
      .ilike('name', `%${part}%`)
      .limit(5)
    assert.equal(error, null)
    assert.ok(data.length >= 1 && data.length <= 5)
  })

  test('has related tables that everybody can read', async () => {
    for (const [table, columns] of [
      ['games', 'id, name, slug, backdrop_url, is_steam'],
      ['server_tags', 'name, color, name_fr, name_en, name_es'],
      ['site_settings', 'setting_key, setting_value'],
      ['event_types', 'key, name_fr'],
      ['arcade_spots', 'position, start_date, end_date, image_url, website_url, status, servers(name)'],
      ['competitive_events', 'id, name, start_date, end_date, target_votes'],
    ]) {
      const { data, error } = await visitor.from(table).select(columns)
      assert.equal(error, null, `${table}: ${error?.message}`)
      assert.ok(data.length >= 1, table)
    }
    const { data: stats } = await visitor.rpc('get_site_stats').single()
    assert.ok(stats.servers >= 120)
  })

  test('hides secret columns and tables from visitors', async () => {
    const tokens = await visitor.from('server_api_tokens').select('token')
    assert.equal(tokens.error.code, '42501')
    const votes = await visitor.from('votes').select('nickname')
    assert.equal(votes.error.code, '42501')
    const people = await visitor.from('profiles').select('email')
    assert.equal(people.error.code, '42501')
  })
})

describe('a vote', () => {
  const cast = async (person, target, nickname) => {
    const captcha = await solveCaptcha(server.url, target.id)
    const { data, error } = await person.functions.invoke('vote', { body: { serverId: target.id, nickname, captcha } })
    return error ? { status: error.context.status, ...(await error.context.json()) } : { status: 200, ...data }
  }

  test('is counted once per cooldown', async () => {
    const { person: owner, user } = await signedIn('owner@palmares.test')
    const { data: target } = await owner
      .from('servers_managed')
      .select('id, name, total_votes, api_token')
      .eq('owner_id', user.id)
      .limit(1)
      .single()
    const ask = async (key, ip = '127.0.0.1') => {
      const answer = await fetch(`${server.url}/servers/${key}/votes/${ip}`)
      return { status: answer.status, body: await answer.json() }
    }
    assert.deepEqual(await ask(target.api_token), {
      status: 200,
      body: { success: false, message: 'No vote found for this IP' },
    })

    const accepted = await cast(visitor, target, 'Nova_42')
    assert.equal(accepted.status, 200, JSON.stringify(accepted))
    assert.equal(accepted.data.totalVotes, target.total_votes + 1)
    assert.equal(accepted.data.nextVoteSeconds, 7200)

    const { status, body } = await ask(target.api_token)
    assert.equal(status, 200)
    assert.equal(body.success, true)
    assert.equal(body.data.username, 'Nova_42')
    assert.equal(body.data.is_connected, false)
    assert.equal(body.data.voted_at, accepted.data.votedAt)
    assert.ok(body.data.next_vote_seconds > 7000 && body.data.next_vote_seconds <= 7200)
    const byId = await ask(target.id)
    assert.equal(byId.body.data.username, null)

    const again = await cast(visitor, target, 'Someone_else')
    assert.equal(again.status, 429)
    assert.equal(again.code, 'already_voted')
    assert.ok(again.nextVoteSeconds > 7000)
    const { data: counted } = await visitor.from('servers_public').select('total_votes').eq('id', target.id).single()
    assert.equal(counted.total_votes, target.total_votes + 1)
  })

  test('with invalid nickname or captcha is refused', async () => {
    const { data: target } = await visitor.from('servers_public').select('id').limit(1).single()
    assert.deepEqual((({ status, code }) => ({ status, code }))(await cast(visitor, target, 'x')), {
      status: 400,
      code: 'nickname_length',
    })
    const { error } = await visitor.functions.invoke('vote', {
      body: { serverId: target.id, nickname: 'Nova', captcha: 'bm90aGluZw==' },
    })
    assert.equal(error.context.status, 400)
    assert.equal((await error.context.json()).code, 'captcha_failed')
  })

  test('check with invalid key or IP is refused', async () => {
    const { data: target } = await visitor.from('servers_public').select('id').limit(1).single()
    const answers = await Promise.all(
      [`${target.id}/votes/not-an-ip`, 'xx/votes/127.0.0.1', '00000000-0000-4000-8000-000000000000/votes/127.0.0.1'].map(
        (path) => fetch(`${server.url}/servers/${path}`),
      ),
    )
    assert.deepEqual(answers.map((answer) => answer.status), [400, 400, 404])
    for (const answer of answers) assert.equal((await answer.json()).success, false)
  })

  test('counter cannot be written by clients', async () => {
    const { person, user } = await signedIn('owner@palmares.test')
    const { data: own } = await person.from('servers').select('id').eq('owner_id', user.id)
    const ids = own.map(({ id }) => id)
    const counters = await person.from('server_standings').update({ total_votes: 1_000_000 }).in('server_id', ids)
    assert.equal(counters.error.code, '42501')
    const listing = await person.from('servers').update({ total_votes: 1_000_000 }).in('id', ids)
    assert.equal(listing.error.code, 'PGRST204')
    const procedure = await visitor.rpc('cast_vote', {
      p_server_id: '00000000-0000-4000-8000-000000000000',
      p_ip_hash: 'x',
      p_user_id: null,
      p_nickname: 'x',
    })
    assert.ok(['42501', 'PGRST202'].includes(procedure.error.code), procedure.error.code)
  })
})

describe('accounts', () => {
  test('new account is confirmed by its mail link', async () => {
    const email = 'nouvelle@example.org'
    const person = client()
    const { data, error } = await person.auth.signUp({
      email,
      password: 'un bon secret',
      options: { data: { username: 'Nouvelle', lang: 'fr' }, emailRedirectTo: `${server.url}/` },
    })
    assert.equal(error, null)
    assert.equal(data.session, null)
    const early = await person.auth.signInWithPassword({ email, password: 'un bon secret' })
    assert.equal(early.error.code, 'email_not_confirmed')
    const mail = await eventually(async () => {
      const mails = await (await fetch(`${server.url}/mailbox`)).json()
      return mails.find((one) => one.to === email)
    })
    const link = mail.text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)[0]
    const opened = await fetch(link, { redirect: 'manual' })
    assert.equal(opened.status, 303)
    assert.match(opened.headers.get('location'), /#access_token=/)
    const { data: session } = await person.auth.signInWithPassword({ email, password: 'un bon secret' })
    const { data: profile } = await person.from('profiles').select('username, role').eq('id', session.user.id).single()
    assert.deepEqual(profile, { username: 'Nouvelle', role: 'user' })
  })

  test('accounts cannot change their own role', async () => {
    const { person, user } = await signedIn('player@palmares.test')
    const { error } = await person.from('profiles').update({ role: 'admin' }).eq('id', user.id)
    assert.equal(error.code, '42501')
    const { person: admin, user: ada } = await signedIn('admin@palmares.test')
    const { data } = await admin.from('profiles').select('role').eq('id', ada.id).single()
    assert.equal(data.role, 'admin')
  })

  test('a person reports and reviews as themselves only', async () => {
    const { person, user } = await signedIn('player@palmares.test')
    const { data: target } = await visitor.from('servers_public').select('id').neq('owner_id', user.id).limit(1).single()
    const report = { server_id: target.id, reporter_id: user.id, reason: 'spam', status: 'pending' }
    assert.equal((await person.from('reports').insert(report)).error, null)
    const forged = await person.from('reports').insert({ ...report, reporter_id: '00000000-0000-4000-8000-000000000000' })
    assert.equal(forged.error.code, '42501')
    assert.equal((await visitor.from('reports').insert(report)).error.code, '42501')
  })
})

describe('the pages', () => {
  const page = async (path, headers = {}) => {
    const answer = await fetch(server.url + path, { redirect: 'manual', headers })
    return { status: answer.status, headers: answer.headers, html: await answer.text() }
  }

  test('have metadata in the path’s language', async () => {
    const { data: target } = await visitor.from('servers_public').select('slug, name').limit(1).single()
    for (const [path, language] of [['/', 'fr'], ['/en', 'en'], ['/es', 'es'], [`/en/server/${target.slug}`, 'en']]) {
      const { status, html } = await page(path)
      assert.equal(status, 200, path)
      assert.match(html, new RegExp(`<html lang="${language}"`))
      assert.match(html, /<title>[^<]{10,}<\/title>/)
      assert.match(html, /<link rel="canonical" href="http[^"]+"/)
      assert.equal(html.match(/rel="alternate" hreflang=/g).length, 4)
      assert.match(html, /<meta property="og:image" content="http/)
      assert.match(html, /application\/ld\+json/)
    }
  })

  test('are readable and paginated without JavaScript', async () => {
    const { html: first } = await page('/game/minecraft')
    const named = (html) => [...html.matchAll(/<h2><a href="(\/[^"]+)">/g)].map(([, path]) => path)
    assert.equal(named(first).length, 25)
    assert.match(first, /<link rel="canonical" href="[^"]+\/game\/minecraft"/)
    const { html: second } = await page('/game/minecraft?page=2')
    assert.match(second, /<link rel="canonical" href="[^"]+\/game\/minecraft\?page=2"/)
    assert.match(second, /<title>[^<]+ – page 2<\/title>/)
    assert.match(second, /<ol start="26">/)
    assert.ok(named(second).length > 0 && named(second).every((path) => !named(first).includes(path)))
    assert.match(first, /<a href="\/game\/minecraft\?page=2">/)
    // Another order is another view of the same list; a page after the last one is empty.
    assert.match((await page('/game/minecraft?sort=votes&page=2')).html, /<link rel="canonical" href="[^"]+\/game\/minecraft"/)
    assert.deepEqual(named((await page('/game/minecraft?page=99999')).html), [])

    const { html: server } = await page('/es/servidor/loupgarde')
    assert.match(server, /<div class="reading"><ul><li><a href="\/es\/game\/minecraft">Minecraft<\/a>/)
    const { html: hall } = await page('/en/hall-of-fame')
    const archive = hall.match(/<a href="(\/en\/archive\/\d{4}-\d\d)">/)[1]
    const { status, html: month } = await page(archive)
    assert.equal(status, 200)
    assert.match(month, /<h1>[A-Z][a-z]+ \d{4} ranking of private servers<\/h1>/)
    assert.match(month, /<li><a href="\/en\/server\/[^"]+">[^<]+<\/a> · Place 1 · Votes: \d+<\/li>/)
    for (const path of ['/archives/1999-01', '/archives/2999-12/minecraft', `${archive}/no-such-game`])
      assert.equal((await page(path)).status, 404, path)
  })

  test('redirect to canonical URLs or answer 404', async () => {
    const moved = await page('/en/en/games/minecraft/?page=2')
    assert.equal(moved.status, 308)
    assert.equal(moved.headers.get('location'), '/en/game/minecraft?page=2')
    const nothing = await page('/nothing/here')
    assert.equal(nothing.status, 404)
    assert.match(nothing.html, /noindex/)
    assert.equal((await page('/en/server/no-such-server')).status, 404)
    // No text in the database contains a NUL, so these paths cause no query.
    for (const path of ['/serveur/%00', '/en/server/a%00b', '/game/%00', '/es/servidor/%FF', '/serveurs-%00', '/%00']) {
      assert.equal((await page(path)).status, 404, path)
    }
  })

  test('have the right headers for caching and compression', async () => {
    const { html, headers } = await page('/')
    assert.equal(headers.get('cache-control'), 'no-cache')
    assert.match(headers.get('content-security-policy'), /script-src 'self'/)
    const script = html.match(/src="(\/assets\/[^"]+\.js)"/)[1]
    const asset = await page(script, { 'accept-encoding': 'br' })
    assert.equal(asset.headers.get('content-encoding'), 'br')
    assert.match(asset.headers.get('cache-control'), /immutable/)
    for (const name of ['access-control-expose-headers', 'x-request-id']) assert.equal(asset.headers.get(name), null)
    const unchanged = await page(script, { 'accept-encoding': 'br', 'if-none-match': asset.headers.get('etag') })
    assert.equal(unchanged.status, 304)
    assert.equal((await page('/assets/missing.js')).status, 404)
  })

  test('contain their texts and prefetched rows', async () => {
    for (const [path, language, texts] of [
      ['/', 'fr', 'ranking-list'],
      ['/en/servers-dofus', 'en', 'ranking-list'],
      ['/game/minecraft?page=2', 'fr', 'ranking-list'],
      ['/es/servidor/loupgarde', 'es', 'server-page'],
      ['/profile', 'fr', 'profile'],
    ]) {
      const { html } = await page(path)
      const data = (name) => JSON.parse(html.match(new RegExp(`id="palmares-${name}">(.*?)</script>`, 's'))[1])
      assert.deepEqual(Object.keys(data('texts')), [language])
      assert.ok(Object.keys(data('texts')[language]).includes(texts), path)
      const rows = data('rows')
      assert.equal(rows.length > 0, path !== '/profile', path)
      for (const [question, status, range, body] of rows) {
        const headers = { apikey: server.keys.ANON_KEY, ...(range?.endsWith('/*') === false && { prefer: 'count=exact' }) }
        if (!Array.isArray(body)) headers.accept = 'application/vnd.pgrst.object+json'
        const answer = await fetch(`${server.url}/rest/v1/${question}`, { headers })
        assert.equal(answer.status, status, question)
        assert.equal(answer.headers.get('content-range'), range)
        // Figures of servers may change meanwhile, the set of rows does not.
        const columns = (rows) => [rows].flat().map((row) => Object.keys(row))
        assert.deepEqual(columns(await answer.json()), columns(body))
      }
    }
    // A page with a query may need other rows.
    assert.match((await page('/?sort=votes')).html, /id="palmares-rows">\[\]</)
    assert.match((await page('/nothing/here')).html, /id="palmares-rows">\[\]</)
  })

  test('and rest/v1 are compressed by Accept-Encoding', async () => {
    for (const [path, headers] of [
      ['/', {}],
      ['/rest/v1/games?select=*&order=name', { apikey: server.keys.ANON_KEY, prefer: 'count=exact' }],
    ]) {
      const [packed, plain] = await Promise.all(
        ['gzip', 'identity'].map((encoding) => page(path, { ...headers, 'accept-encoding': encoding })),
      )
      assert.equal(packed.headers.get('content-encoding'), 'gzip', path)
      assert.equal(plain.headers.get('content-encoding'), null, path)
      assert.equal(packed.html, plain.html)
      for (const { headers } of [packed, plain]) assert.match(headers.get('vary'), /Accept-Encoding/)
      assert.equal(packed.headers.get('content-range'), plain.headers.get('content-range'))
    }
  })

  test('are listed for search engines', async () => {
    const listed = ({ html }) => [...html.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => new URL(address).pathname)
    const files = listed(await page('/sitemap.xml'))
    const pages = (await Promise.all(files.map((file) => page(file)))).flatMap(listed)
    assert.ok(pages.length > 120 && pages.includes('/serveur/loupgarde') && pages.includes('/pantheon/minecraft'), `${pages.length} pages in ${files}`)
    assert.match((await page('/robots.txt')).html, /Sitemap: http/)
  })
})
