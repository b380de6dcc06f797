// The demonstration beside a site that has grown (growth.sql): every main read and the main write, in alternating
// rounds; then one greedy caller among others, and a change of month. BENCH_SERVERS (100000), BENCH_VOTES (5000000) and
// BENCH_ROUNDS (40) choose the sizes, BENCH_TOTALS_DAYS (100, as the site's own setting) how long voters' totals are kept.
import { readFileSync } from 'node:fs'

import { asOwner, connectedAsOwner } from '../tests/support/database.mjs'
import { besideAGreedyCaller } from './growth/greedy.mjs'
import { load, share } from './growth/load.mjs'
import { turnOfTheMonth } from './growth/turn.mjs'
import { startedForVotes } from './votes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const SERVERS = Number(process.env.BENCH_SERVERS ?? 100_000)
const VOTES = Number(process.env.BENCH_VOTES ?? 5_000_000)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40)
const TOTALS_DAYS = Number(process.env.BENCH_TOTALS_DAYS ?? 100)
const PAGE = 25

const FIRST_LOAD = JSON.parse(readFileSync(new URL('../frontend/src/app/first-load.json', import.meta.url), 'utf8'))

/** What a card shows, as the pages ask for it. */
const CARD = FIRST_LOAD.home.rows.map(({ get }) => get).find((get) => get.startsWith('servers_public?')).split('&')[0]
const FIGURES = 'game_figures?select=servers,promoted,games!inner(slug)'
const GAME = 'minecraft'

const ORDERS = {
  default: 'is_prestige.desc,promoted_order.asc.nullslast,monthly_votes.desc,id.asc',
  votes: 'is_prestige.desc,monthly_votes.desc,id.asc',
  players: 'online_players.desc,id.asc',
  recent: 'created_at.desc,id.asc',
  clicks: 'clicks.desc,id.asc',
}

/** Filter and order of the servers that have climbed since the day began: of all games, or of one. */
const RISING = 'rise=gt.0&order=rise.desc,monthly_votes.desc,id.asc'
const RISING_IN_GAME = 'game_rise=gt.0&order=game_rise.desc,monthly_votes.desc,id.asc'

/** The reversed orders: pages near the end are requested from the end, once the number of rows is known. */
const REVERSED = Object.fromEntries(
  Object.entries(ORDERS).map(([name, order]) => [
    name,
    order
      .split(',')
      .map((part) => (part.includes('.desc') ? part.replace('.desc', '.asc') : part.replace('.asc', '.desc').replace('nullslast', 'nullsfirst')))
      .join(','),
  ]),
)

const COUNTED = { prefer: 'count=exact' }
const get = (path, headers = {}) => [{ path: path.startsWith('/') ? path : `/rest/v1/${path}`, headers }]
const rpc = (name, body) => [
  { path: `/rest/v1/rpc/${name}`, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
]

/** Requests for a page of a list and for the number of rows, sent at once as the pages do. */
function list({ order, filter = '', offset = 0 }) {
  const isCounted = filter.includes(',') || filter.includes('search_name=')
  const countQuery = filter.includes('tags=') ? `${FIGURES.replace('game_figures', 'game_tag_figures')}&tag=eq.PvP` : FIGURES
  const path = `${CARD}${filter && `&${filter}`}&order=${ORDERS[order]}&offset=${offset}&limit=${PAGE}`
  if (isCounted) return get(path, COUNTED)
  return [...get(path), ...get(filter.includes('game_slug') ? `${countQuery}&games.slug=in.(${GAME})` : countQuery)]
}

/** Requests for the last page, as the pages send them: the number of servers, then that page's rows from the end. */
function last(order, size) {
  const lastPageRows = size % PAGE || PAGE
  return [...get(FIGURES), { ...get(`${CARD}&order=${REVERSED[order]}&offset=0&limit=${lastPageRows}`)[0], isAfter: true }]
}

/** Requests by name; `size` is how many servers are listed, `of` how many of the game. */
function workloads({ size, of, top, middle }) {
  const hundredth = Math.min(99, Math.ceil(size / PAGE) - 1) * PAGE
  const ofGame = Math.min(99, Math.ceil(of / PAGE) - 1) * PAGE
  const pages = Object.keys(ORDERS).flatMap((order) => [
    [`${order}, first page`, list({ order })],
    [`${order}, hundredth`, list({ order, offset: hundredth })],
    [`${order}, last`, last(order, size)],
  ])
  return Object.fromEntries([
    ...pages,
    ['rising, first page', get(`${CARD}&${RISING}&limit=${PAGE}`, COUNTED)],
    ['one game, rising', get(`${CARD}&game_slug=eq.${GAME}&${RISING_IN_GAME}&limit=${PAGE}`, COUNTED)],
    ['default, without promoted ones', list({ order: 'default', filter: 'is_prestige=eq.false' })],
    ['default, one tag', list({ order: 'default', filter: 'tags=ov.{PvP}' })],
    ['default, two tags', list({ order: 'default', filter: 'tags=ov.{PvP,RP}' })],
    ['one game, first page', list({ order: 'default', filter: `game_slug=eq.${GAME}` })],
    ['one game, hundredth', list({ order: 'default', filter: `game_slug=eq.${GAME}`, offset: ofGame })],
    ['one game by clicks', list({ order: 'clicks', filter: `game_slug=eq.${GAME}` })],
    ['one game, one tag, without promoted', list({ order: 'default', filter: `game_slug=eq.${GAME}&tags=ov.{PvP}&is_prestige=eq.false` })],
    ['search, six letters', rpc('search_site', { p_query: 'granit' })],
    ['search, two letters', rpc('search_site', { p_query: 'gr' })],
    ['search, nothing found', rpc('search_site', { p_query: 'zzqxwv' })],
    ['server by slug, top', get(`${CARD}&slug=eq.${top.slug}`)],
    ['server by slug, middle', get(`${CARD}&slug=eq.${middle.slug}`)],
    ['get_server_stats', rpc('get_server_stats', { p_server_id: top.id })],
    ['get_server_neighbours', rpc('get_server_neighbours', { p_server_id: middle.id })],
    ['get_vote_history, 7 days', rpc('get_vote_history', { p_server_id: top.id, p_days: 7 })],
    ['get_vote_history, 366 days', rpc('get_vote_history', { p_server_id: top.id, p_days: 366 })],
    ['get_site_stats', rpc('get_site_stats', {})],
    ...['month', 'week', 'day'].map((period) => [`leaderboard, ${period}`, rpc('get_leaderboard', { p_period: period })]),
    ['vote API by id, no vote', get(`/servers/${middle.id}/votes/203.0.113.9`)],
    ['page: home', get('/')],
    ['page: server', get(`/serveur/${middle.slug}`)],
    ['page: game', get(`/game/${GAME}`)],
    ['sitemap.xml', get('/sitemap.xml')],
  ])
}

/** Milliseconds until all requests are answered and read; those with `isAfter` are sent after the others. */
async function timed(site, requests) {
  const startedAt = performance.now()
  const ask = async ({ path, headers, isAfter: _, ...rest }) => {
    const answer = await fetch(site.server.url + path, { ...rest, headers: { apikey: site.server.keys.ANON_KEY, ...headers } })
    await answer.arrayBuffer()
    if (answer.status >= 400 && !path.startsWith('/servers/')) throw new Error(`${path}: ${answer.status}`)
  }
  await Promise.all(requests.filter(({ isAfter }) => !isAfter).map(ask))
  await Promise.all(requests.filter(({ isAfter }) => isAfter).map(ask))
  return performance.now() - startedAt
}

/** Milliseconds of a vote in the database, by a voter of its own. */
async function voted(site, round) {
  const startedAt = performance.now()
  const { rows } = await site.client.query('select outcome from public.cast_vote($1, $2, null, $3)', [
    site.facts.top.id,
    `growth bench ${round}`,
    `bench_${round}`,
  ])
  if (rows[0].outcome !== 'accepted') throw new Error(`a vote was refused: ${rows[0].outcome}`)
  return performance.now() - startedAt
}

async function started(isGrown) {
  const server = await startedForVotes({ VOTER_TOTALS_RETENTION_DAYS: String(TOTALS_DAYS) })
  if (isGrown) await load(server, { servers: SERVERS, votes: VOTES, totals_days: TOTALS_DAYS })
  await asOwner(server, 'vacuum analyze')
  await asOwner(server, 'checkpoint')
  const client = await connectedAsOwner(server)
  const one = async (sql) => (await client.query(sql)).rows[0]
  const ranked = 'select id, slug from public.servers_public order by monthly_votes desc, id limit 1'
  const { size } = await one('select count(*)::int as size from public.servers_public')
  const { of } = await one(`select count(*)::int as of from public.servers_public where game_slug = '${GAME}'`)
  const { disk } = await one('select pg_size_pretty(pg_database_size(current_database())) as disk')
  const facts = { size, of, disk, top: await one(ranked), middle: await one(`${ranked} offset ${Math.floor(size / 2)}`) }
  return { server, client, facts, workloads: workloads(facts) }
}

/** Servers for which anybody may vote by any nickname, all over the list. */
async function votedFor(site) {
  const { rows } = await site.client.query(
    `select t.server_id from public.server_standings as t join public.games as g on g.id = t.game_id
     where t.is_listed and g.nickname_pattern is null order by t.server_id limit 2000`,
  )
  return rows.map((row) => row.server_id)
}

export async function growth() {
  const sites = []
  try {
    for (const isGrown of [false, true]) sites.push(await started(isGrown))
    const names = [...Object.keys(sites[0].workloads), 'cast_vote (SQL)']
    const taken = new Map(names.map((name) => [name, [[], []]]))
    // One warm-up round, which is not counted.
    for (let round = -1; round < ROUNDS; round++) {
      for (const name of names) {
        for (const [index, site] of sites.entries()) {
          const requests = site.workloads[name]
          const milliseconds = requests ? await timed(site, requests) : await voted(site, round)
          if (round >= 0) taken.get(name)[index].push(milliseconds)
        }
      }
    }
    const rows = [...taken].map(([name, [demo, grown]]) => {
      const figures = [share(demo, 0.5), share(demo, 0.95), share(grown, 0.5), share(grown, 0.95)]
      const ratio = figures[2] / figures[0]
      return `| ${name} | ${figures.map((value) => value.toFixed(2)).join(' | ')} | ${ratio.toFixed(1)} |`
    })
    const table = [
      `| request | p50 ms, ${sites[0].facts.size} listed | p95 ms | p50 ms, ${sites[1].facts.size} listed | p95 ms | ratio |`,
      '|---|---|---|---|---|---|',
      ...rows,
      '',
      `${SERVERS} servers and ${VOTES} votes beside the demonstration; one client, ${ROUNDS} rounds in turn. ` +
        'The hundredth page of the demonstration is its last. Pages of lists are asked for together with the number of servers. ' +
        `The databases hold ${sites[0].facts.disk} and ${sites[1].facts.disk}.`,
    ].join('\n')
    // Printed already, so that a later failure does not lose an hour of measurements.
    console.log(`\n${table}\n`)
    return [
      table,
      '',
      ...(await besideAGreedyCaller(sites[1], `/rest/v1/${CARD}&order=${ORDERS.default}&limit=${PAGE}`)),
      '',
      await turnOfTheMonth(sites[1], await votedFor(sites[1])),
    ].join('\n')
  } finally {
    for (const { client, server } of sites) {
      await client.end()
      await server.stop()
    }
  }
}
