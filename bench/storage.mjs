// storage/v1: public reads and upserts of 20 KB and 5 MB objects next to nginx serving the same file, to reading it
// from the disk and to writing it there durably. nginx is Debian's, with its own defaults.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { createClient } from '../tests/support/client.mjs'
import { eventually, startServer } from '../tests/support/server.mjs'
import { ROUNDS, SECONDS, median, wrk, wrkScript } from './load.mjs'
import { cpuOf, cpuSeconds, cpuSince, family, residentMiB } from './processes.mjs'

process.env.BUILD_PROFILE ??= 'release'

const CLIENTS = 32
const SIZES = { '20 KB': 20_000, '5 MB': 5_000_000 }
/** Number of keys that the writers use in turn. */
const KEYS = 256

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

/** nginx with one worker per core, serving a folder. */
async function startNginx(folder) {
  const port = await freePort()
  const conf = join(folder, 'nginx.conf')
  writeFileSync(
    conf,
    `worker_processes ${cpus().length}; pid ${folder}/nginx.pid; error_log ${folder}/error.log; daemon off;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
       server { listen 127.0.0.1:${port}; root ${folder}/files; } }`,
  )
  const path = `${process.env.PATH}:/usr/sbin`
  const child = spawn('nginx', ['-c', conf, '-p', folder], { env: { ...process.env, PATH: path }, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  await eventually(() => fetch(url).then(() => true, () => false))
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Runs wrk against a process: rate, latencies, processor time of it and of its descendants, memory. */
function against(server, url, script) {
  const [before, ownCpu] = [cpuOf(family(server.pid)), cpuSeconds(server.pid)]
  const run = wrk(url, script, CLIENTS)
  const each = (seconds) => (seconds / (run.rate * SECONDS)) * 1e6
  return {
    ...run,
    own: each(cpuSeconds(server.pid) - ownCpu),
    others: each(cpuSince(server.pid, before, [server.pid])),
    memory: residentMiB(server.pid),
  }
}

async function rounds(work) {
  const runs = []
  for (let round = 0; round < ROUNDS; round++) runs.push(await work())
  return runs
}

/** Runs `work` in as many loops as there are clients, for the length of a round; returns the runs per second. */
async function bare(work) {
  const until = performance.now() + SECONDS * 1000
  let done = 0
  const one = async (client) => {
    for (let round = 0; performance.now() < until; round++) {
      await work(client, round)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => one(client)))
  return { rate: done / SECONDS }
}

/** The minimal steps of a durable write, as a comparison. */
async function written(folder, content, client, round) {
  const draft = join(folder, `draft-${client}`)
  const file = await open(draft, 'w')
  await file.writeFile(content)
  await file.sync()
  await file.close()
  await rename(draft, join(folder, `${client}-${round % KEYS}`))
}

/** wrk's script of upserts that cycle through the keys; the body is read from a file. */
function upserts(folder, key, content) {
  const body = join(folder, 'body')
  writeFileSync(body, content)
  const script = join(folder, 'upserts.lua')
  writeFileSync(
    script,
    `local file = io.open(${JSON.stringify(body)}, 'rb'); local body = file:read('*a'); file:close()
     local headers = { ['authorization'] = 'Bearer ${key}', ['content-type'] = 'application/octet-stream', ['x-upsert'] = 'true' }
     local n = 0
     request = function()
       n = n + 1
       return wrk.format('POST', '/storage/v1/object/bench/written/' .. (n % ${KEYS}), headers, body)
     end`,
  )
  return script
}

const cell = (runs, metric, digits = 0) => {
  const value = median(runs, metric)
  return value === undefined ? '' : value.toFixed(digits)
}

function row(name, runs, ceiling) {
  const cells = [name, cell(runs, 'rate'), cell(runs, 'p50', 2), cell(runs, 'p99', 2), cell(runs, 'own'), cell(runs, 'others'), cell(runs, 'memory')]
  return `| ${[...cells, ceiling ? (median(runs, 'rate') / median(ceiling, 'rate')).toFixed(2) : ''].join(' | ')} |`
}

async function ofSize(server, nginx, folder, [name, size]) {
  const content = randomBytes(size)
  const file = `${size}.bin`
  writeFileSync(join(folder, 'files', file), content)
  const bucket = createClient(server.url, server.keys.SERVICE_ROLE_KEY).storage.from('bench')
  const { error } = await bucket.upload(file, content, { upsert: true, contentType: 'application/octet-stream' })
  if (error) throw error
  const plain = wrkScript(folder, { headers: {} })
  const script = upserts(folder, server.keys.SERVICE_ROLE_KEY, content)
  const disk = join(folder, 'disk')
  mkdirSync(disk, { recursive: true })
  const served = await rounds(() => against(nginx, `${nginx.url}/${file}`, plain))
  const read = await rounds(() => against(server, `${server.url}/storage/v1/object/public/bench/${file}`, plain))
  const raw = await rounds(() => bare(() => readFile(join(folder, 'files', file))))
  const put = await rounds(() => against(server, server.url, script))
  const durable = await rounds(() => bare((client, round) => written(disk, content, client, round)))
  rmSync(disk, { recursive: true })
  return [
    row(`read ${name}`, read, served),
    row(`nginx, the same`, served),
    row(`disk, the same (node)`, raw),
    row(`write ${name}`, put, durable),
    row(`disk, with fsync (node)`, durable),
  ]
}

/** Uploads 2 GiB without a length header: duration, and the server's peak memory. */
async function longUpload(server) {
  const before = residentMiB(server.pid)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, residentMiB(server.pid))), 50)
  const began = performance.now()
  const status = await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.keys.SERVICE_ROLE_KEY}`, 'content-type': 'application/octet-stream' }
    const address = `${server.url}/storage/v1/object/bench/long.bin`
    const upload = request(address, { method: 'POST', headers }, (answer) => answer.resume().once('end', () => resolve(answer.statusCode)))
    const piece = randomBytes(1 << 20)
    const pieces = function* () {
      for (let sent = 0; sent < 2048; sent++) yield piece
    }
    Readable.from(pieces()).pipe(upload.once('error', reject))
  })
  clearInterval(watch)
  if (status !== 200) throw new Error(`an upload of 2 GiB: ${status}`)
  const seconds = (performance.now() - began) / 1000
  return `An upload of 2 GiB took ${seconds.toFixed(1)} s; the server had ${before.toFixed(0)} MiB before and ${most.toFixed(0)} MiB at most.`
}

export async function storage() {
  const folder = mkdtempSync(join(tmpdir(), 'palmares-bench-'))
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'files'))
  const server = await startServer({ name: 'supabase-compat', env: { UPLOAD_FILE_SIZE_LIMIT: String(2 ** 31) } })
  const nginx = await startNginx(folder)
  try {
    const { error } = await createClient(server.url, server.keys.SERVICE_ROLE_KEY).storage.createBucket('bench', { public: true })
    if (error) throw error
    const rows = []
    for (const size of Object.entries(SIZES)) rows.push(...(await ofSize(server, nginx, folder, size)))
    const long = await longUpload(server)
    return [
      '| workload | requests/s | p50 ms | p99 ms | own CPU µs | other CPU µs | RSS MiB | ratio |',
      '|---|---|---|---|---|---|---|---|',
      ...rows,
      '',
      `${CLIENTS} clients; medians of ${ROUNDS} rounds of ${SECONDS} s. CPU is per request: of the process itself, and of ` +
        'those it has started (PostgreSQL, nginx\'s workers). The ratio is to the row below. Writes are durable when they are answered. ' +
        long,
    ].join('\n')
  } finally {
    await nginx.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
