// One workload over HTTP by wrk and as a pipeline by pgbench, in alternating rounds; medians.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { CONNECTIONS, pgbench, pipelineOf } from './ceiling.mjs'
import { cpuOf, cpuSeconds, cpuSince, family, residentMiB } from './processes.mjs'

export const SECONDS = Number(process.env.BENCH_SECONDS ?? 5)
export const ROUNDS = 3

const execute = promisify(execFile)

export const HEADING = [
  '| workload | clients | requests/s | p50 ms | p99 ms | server CPU µs | PostgreSQL CPU µs | server RSS MiB | ceiling tx/s | its CPU µs | ratio |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
]

/** How the tables are measured, in one sentence. */
export const HOW =
  `Ceiling: pgbench with ${CONNECTIONS} connections, as many as the server's pool holds. Medians of ` +
  `${ROUNDS} alternating rounds of ${SECONDS} s; CPU is per request. Each client has an address of its own.`

export const median = (rows, name) => rows.map((row) => row[name]).sort((a, b) => a - b)[Math.floor(rows.length / 2)]

/** The environment of a server that takes each client's address from `X-Forwarded-For`. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' }

/** Number of addresses that the requests of `measured` use in turn, because quotas apply per address. */
const ADDRESSES = 64

/** A request as Lua for wrk: method, headers and body; with `addresses`, each comes from the next of that many addresses. */
function lua({ method = 'GET', headers, body, addresses }) {
  const text = (value) => JSON.stringify(value)
  const lines = [`wrk.method = ${text(method)}`]
  for (const [name, value] of Object.entries(headers)) lines.push(`wrk.headers[${text(name)}] = ${text(value)}`)
  if (body) lines.push(`wrk.body = ${text(body)}`)
  // Requests are formatted once, so that wrk takes no more processor time than without addresses.
  if (addresses)
    lines.push(
      'local requests, last = {}, 0',
      'function init()',
      `  for number = 1, ${addresses} do`,
      '    wrk.headers["x-forwarded-for"] = "10.0.0." .. number',
      '    requests[number] = wrk.format()',
      '  end',
      'end',
      `function request() last = last % ${addresses} + 1; return requests[last] end`,
    )
  return lines.join('\n')
}

const wrkArguments = (url, script, clients, seconds) => ['-t1', `-c${clients}`, `-d${seconds}s`, '--latency', '-s', script, url]

export function wrk(url, script, clients, seconds = SECONDS) {
  return parseWrk(execFileSync('wrk', wrkArguments(url, script, clients, seconds), { encoding: 'utf8' }))
}

/** Runs wrk without blocking this process. */
export async function wrkMeanwhile(url, script, clients, seconds = SECONDS) {
  return parseWrk((await execute('wrk', wrkArguments(url, script, clients, seconds))).stdout)
}

/** The figures in wrk's output: requests per second, and latencies in milliseconds. */
function parseWrk(output) {
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output)
  const milliseconds = (before) => {
    const [, value, unit] = output.match(new RegExp(`${before}\\s+([\\d.]+)(us|ms|s)`))
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit]
  }
  return {
    rate: Number(output.match(/Requests\/sec:\s+([\d.]+)/)[1]),
    p50: milliseconds('50%'),
    p99: milliseconds('99%'),
    // The third column, after average and deviation.
    max: milliseconds('Latency\\s+\\S+\\s+\\S+'),
  }
}

/** Writes wrk's script of a request into a folder. */
export function wrkScript(folder, request) {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.lua`)
  writeFileSync(file, lua(request))
  return file
}

/**
 * Rows of the table for one workload, on a server that was started `BEHIND_PROXY`.
 * @param {{ name: string, path: string, method?: string, headers: Record<string, string>, body?: string }} workload
 */
export async function measured(server, workload, clientCounts = [1, 8, 32]) {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  try {
    const url = server.url + workload.path
    const send = () => fetch(url, { method: workload.method, headers: workload.headers, body: workload.body })
    const { text, variables } = await pipelineOf(server, async () => {
      const response = await send()
      if (!response.ok) throw new Error(`${workload.name}: ${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    })
    const transaction = join(folder, 'transaction.sql')
    writeFileSync(transaction, text)
    const request = wrkScript(folder, { ...workload, addresses: ADDRESSES })
    return clientCounts.map((clients) => {
      const [http, pipe] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        http.push(overHttp(server, url, request, clients))
        pipe.push(asPipeline(server, transaction, variables))
      }
      const rate = median(http, 'rate')
      const cells = [
        workload.name,
        clients,
        rate.toFixed(0),
        median(http, 'p50').toFixed(2),
        median(http, 'p99').toFixed(2),
        median(http, 'own').toFixed(0),
        median(http, 'database').toFixed(0),
        median(http, 'memory').toFixed(0),
        median(pipe, 'rate').toFixed(0),
        median(pipe, 'database').toFixed(0),
        (rate / median(pipe, 'rate')).toFixed(2),
      ]
      return `| ${cells.join(' | ')} |`
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function overHttp(server, url, request, clients) {
  const [before, ownCpu] = [cpuOf(family(server.pid)), cpuSeconds(server.pid)]
  const run = wrk(url, request, clients)
  const each = (seconds) => (seconds / (run.rate * SECONDS)) * 1e6
  return {
    ...run,
    own: each(cpuSeconds(server.pid) - ownCpu),
    database: each(cpuSince(server.pid, before, [server.pid])),
    memory: residentMiB(server.pid),
  }
}

function asPipeline(server, transaction, variables) {
  const before = cpuOf(family(server.pid))
  const rate = pgbench(server, transaction, variables, SECONDS)
  return { rate, database: (cpuSince(server.pid, before, [server.pid]) / (rate * SECONDS)) * 1e6 }
}
