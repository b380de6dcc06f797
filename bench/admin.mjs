// The administration of a grown site: each table's first page with the number of rows, searches and sort orders, as the
// pages request them. BENCH_SERVERS (100000), BENCH_VOTES (5000000), BENCH_ACCOUNTS (200000), BENCH_REPORTS (50000) and
// BENCH_ROUNDS (40) choose the sizes.
import { createClient } from '../tests/support/client.mjs'
import { load, share } from './growth/load.mjs'
import { startedForVotes } from './votes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const SIZES = {
  servers: Number(process.env.BENCH_SERVERS ?? 100_000),
  votes: Number(process.env.BENCH_VOTES ?? 5_000_000),
  accounts: Number(process.env.BENCH_ACCOUNTS ?? 200_000),
  reports: Number(process.env.BENCH_REPORTS ?? 50_000),
  totals_days: 100,
}
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 40)

/** Upper limit for a page of the administration, in milliseconds. */
const AIM = 150

const COLUMNS =
  'select=id,slug,name,ip_address,is_approved,is_hidden,hidden_reason,refused_at,moderation_reason,is_sponsored,prestige_expires_at,warnings,created_at,updated_at,owner_id,server_state,monthly_votes,game_name,owner_name'
const SERVERS = `servers_overseen?${COLUMNS}`
const PEOPLE = 'profiles_overseen?select=id,username,email,role,total_votes,is_banned,ban_reason,banned_until,created_at'
const PAID =
  'select=id,kind,state,provider,days,amount_cents,currency,created_at,refund_cents,refund_reason,refund_note,refunded_cents,refund_failed_at,problem,disputed_at,wants_person,payer,server_name,server_slug,spot_position,start_date,end_date,receipts'
const PAYMENTS = `payment_ledger?${PAID}`
const AUDIT =
  'audit_log_overseen?select=id,created_at,actor_name,action,subject_kind,subject_label,person_name,before,after'
const EVENTS = 'security_events?select=id,created_at,event_type,event_data,origin,profiles(username)'
const PROPOSALS = 'tag_proposals?select=id,name,description,color,status,created_at,admin_notes'
const REPORTS =
  'reports?select=id,server_id,comment_id,reason,custom_reason,status,resolution_note,created_at,reporter:profiles!reports_reporter_id_fkey(username),servers(name,slug),reviews(servers(name,slug))'
const NEWEST = 'order=created_at.desc.nullslast,id.asc&limit=25'

/** Requests by name, each a page of a table with its count; those with a `body` call a procedure. */
const REQUESTS = {
  'servers, newest': { path: `${SERVERS}&${NEWEST}` },
  'servers, by name': { path: `${SERVERS}&order=name.asc.nullslast,id.asc&limit=25` },
  'servers, last changed': { path: `${SERVERS}&order=updated_at.desc.nullslast,id.asc&limit=25` },
  'servers, found by name': { path: `${SERVERS}&search_name=like.*granit*&${NEWEST}` },
  'servers, found by a name nobody has': { path: `${SERVERS}&search_name=like.*zzqxwv*&${NEWEST}` },
  'servers, of an owner': { path: `servers_of_owners?${COLUMNS}&owner_name=ilike.*Joueur 4711*&${NEWEST}` },
  'servers, waiting': { path: `${SERVERS}&is_approved=eq.false&refused_at=is.null&${NEWEST}` },
  'servers, shown': { path: `${SERVERS}&is_approved=eq.true&is_hidden=eq.false&${NEWEST}` },
  'servers, suspended': { path: `${SERVERS}&is_approved=eq.true&is_hidden=eq.true&hidden_reason=eq.moderation&${NEWEST}` },
  'servers, hundredth page': { path: `${SERVERS}&${NEWEST}&offset=2475` },
  'accounts, newest': { path: `${PEOPLE}&${NEWEST}` },
  'accounts, by votes': { path: `${PEOPLE}&order=total_votes.desc.nullslast,id.asc&limit=25` },
  'accounts, found by name': { path: `${PEOPLE}&username=ilike.*Joueur 4711*&${NEWEST}` },
  'accounts, banned': { path: `${PEOPLE}&is_banned=eq.true&${NEWEST}` },
  'reports, newest': { path: `${REPORTS}&${NEWEST}` },
  'reports, waiting': { path: `${REPORTS}&status=eq.pending&${NEWEST}` },
  'payments, newest': { path: `${PAYMENTS}&${NEWEST}` },
  'payments, by amount': { path: `${PAYMENTS}&order=amount_cents.desc.nullslast,id.asc&limit=25` },
  'payments, search': { path: `rpc/search_payment_ledger?${PAID}&${NEWEST}`, body: { p_text: 'joueur 4711' } },
  'payments, that want a person': { path: `${PAYMENTS}&wants_person=is.true&${NEWEST}` },
  'audit, newest': { path: `${AUDIT}&${NEWEST}` },
  'audit, search': { path: `${AUDIT}&names=ilike.*joueur 4711*&${NEWEST}` },
  'audit, of a kind': { path: `${AUDIT}&subject_kind=eq.games&${NEWEST}` },
  'security events, newest': { path: `${EVENTS}&${NEWEST}` },
  'security events, of a type': { path: `${EVENTS}&event_type=eq.token_regenerated&${NEWEST}` },
  'proposals, waiting': { path: `${PROPOSALS}&status=eq.pending&order=created_at.asc&limit=25` },
  'overview: what waits, fails and is odd': { path: 'rpc/get_admin_overview', body: {} },
}

/** Milliseconds until the page and its count are read. */
async function timed(server, token, { path, body }) {
  const startedAt = performance.now()
  const headers = { apikey: server.keys.ANON_KEY, authorization: `Bearer ${token}`, prefer: 'count=exact' }
  const post = body && { method: 'POST', body: JSON.stringify(body) }
  const answer = await fetch(encodeURI(`${server.url}/rest/v1/${path}`), {
    ...post,
    headers: post ? { ...headers, 'content-type': 'application/json' } : headers,
  })
  const rows = await answer.json()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(rows)}`)
  return performance.now() - startedAt
}

export async function admin() {
  const server = await startedForVotes()
  try {
    await load(server, SIZES)
    const client = createClient(server.url, server.keys.ANON_KEY)
    const { data, error } = await client.auth.signInWithPassword({ email: 'admin@palmares.test', password: 'palmares-demo' })
    if (error) throw error
    const token = data.session.access_token
    const taken = Object.fromEntries(Object.keys(REQUESTS).map((name) => [name, []]))
    // One warm-up round, which is not counted.
    for (let round = -1; round < ROUNDS; round++)
      for (const [name, request] of Object.entries(REQUESTS)) {
        const milliseconds = await timed(server, token, request)
        if (round >= 0) taken[name].push(milliseconds)
      }
    const rows = Object.entries(taken).map(([name, times]) => {
      const p95 = share(times, 0.95)
      return `| ${name} | ${share(times, 0.5).toFixed(1)} | ${p95.toFixed(1)} | ${p95 <= AIM ? 'yes' : '**no**'} |`
    })
    return [
      `| request, with how many there are | p50 ms | p95 ms | within ${AIM} ms |`,
      '|---|---|---|---|',
      ...rows,
      '',
      `${SIZES.servers} servers, ${SIZES.votes} votes, ${SIZES.accounts} accounts and ${SIZES.reports} reports beside the ` +
        `demonstration, as many payments as reports, as many entries in either log as accounts; one client, ${ROUNDS} rounds in turn.`,
    ].join('\n')
  } finally {
    await server.stop()
  }
}
