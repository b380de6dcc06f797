// Starts the real binary on a data folder of its own and stops it again. The embedded PostgreSQL
// belongs to the binary, so nothing else has to run.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import { copyFolder, preparedFolder } from './prepared-data.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The path of a binary that cargo built; PALMARES_BINARY replaces that of `palmares`. */
export function binary(name) {
  if (name === 'palmares' && process.env.PALMARES_BINARY) return process.env.PALMARES_BINARY
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target')
  return join(target, process.env.BUILD_PROFILE ?? 'debug', name)
}

/** A folder that a database of another account may live in; removed by the returned function. */
export function scratchFolder() {
  const path = mkdtempSync(join(tmpdir(), 'palmares-test-'))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Runs a binary's `serve`, or another serving `command`, until `stop()`; resolves when it prints `ready`. It starts with
 * prepared data if no `dataDir` is given, or if the given one is empty and `isPrepared` is set.
 * @returns {Promise<{ url: string, pid: number, keys: Record<string, string>, dataDir: string, printed: () => string, log: () => string, deafen: () => void, kill: () => Promise<void>, ends: () => Promise<number>, stop: () => Promise<void> }>}
 */
export async function startServer({ name = 'palmares', command = 'serve', args = [], env = {}, dataDir, isPrepared = !dataDir, port = 0 } = {}) {
  const scratch = dataDir ? { path: dataDir, remove: () => {} } : scratchFolder()
  const prepared = isPrepared && preparedFolder({ name, command, args, env })
  if (prepared && readdirSync(scratch.path).length === 0) await copyFolder(prepared, scratch.path)
  const child = spawn(binary(name), [command, '--port', String(port), '--data-dir', scratch.path, ...args], {
    // By default a project's database listens on the CLI's port, the same for all projects.
    env: { ...process.env, ...(command === 'up' && { DB_PORT: '0' }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  const url = await readyLine(child, ended, () => log)
  return {
    url,
    pid: child.pid,
    dataDir: scratch.path,
    keys: keysOf(name, scratch.path, env),
    /** The server's standard output so far. */
    printed: () => printed,
    log: () => log,
    /** Stops reading the server's output. */
    deafen() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    /** Kills the server; its port is free when this resolves. */
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    /** Sends the server SIGTERM; resolves with its exit code. */
    async ends() {
      child.kill('SIGTERM')
      return ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      scratch.remove()
    },
  }
}

/** Restarts in a killed server's folder, retrying until its embedded PostgreSQL has exited. */
export async function startAfterKill(start) {
  const attempt = () =>
    start().then(
      (value) => ({ value }),
      (error) => assert.match(String(error), /before it was ready/),
    )
  return (await eventually(attempt)).value
}

async function readyLine(child, ended, log) {
  const lines = createInterface({ input: child.stdout })
  const ready = new Promise((resolve) => {
    lines.on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length).trim())
    })
  })
  const failure = ended.then((code) => {
    throw new Error(`the server ended with ${code} before it was ready:\n${log()}`)
  })
  return Promise.race([ready, failure])
}

/** The environment file `keys` prints, as an object. */
export function keysOf(name, dataDir, env = {}) {
  const text = execFileSync(binary(name), ['keys', '--data-dir', dataDir], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/**
 * A free port of this machine, for a program that cannot choose one itself. It lies below the ephemeral ports, so that no
 * outgoing connection takes it before the program listens, or between two runs.
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(20_000, 32_000)
    const holder = createServer().listen(port, '127.0.0.1')
    const held = await once(holder, 'listening').then(
      () => true,
      () => false,
    )
    if (!held) continue
    holder.close()
    await once(holder, 'close')
    return port
  }
}

/**
 * How long a test waits for anything that should come soon, in milliseconds. It only ends tests that would hang, so it leaves
 * room for a machine that is ten times slower.
 */
export const DEADLINE = 60_000

/** Retries a read until it returns a value, for events such as the arrival of a mail. */
export async function eventually(read, { within = DEADLINE } = {}) {
  const deadline = Date.now() + within
  for (;;) {
    const found = await read()
    if (found) return found
    if (Date.now() > deadline) throw new Error('timed out waiting for a value')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
