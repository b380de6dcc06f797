// A command of a binary, run to its end.
import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { binary } from './server.mjs'

/** Runs a binary's command; resolves with its exit code, both outputs, and their concatenation as `output`. */
export function runCommand(name, args, { env = {}, within = [] } = {}) {
  const [program, ...fullArgs] = [...within, binary(name), ...args]
  return new Promise((resolve) => {
    execFile(program, fullArgs, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? error.signal) : 0, stdout, stderr, output: stdout + stderr })
    })
  })
}

/** Runs a command and kills it when it prints a line that `isWanted` accepts. */
export async function killAtLine(name, args, isWanted) {
  const child = spawn(binary(name), args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const seen = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => isWanted(line) && resolve(true))
  })
  const wasSeen = await Promise.race([seen, ended.then(() => false)])
  child.kill('SIGKILL')
  await ended
  if (!wasSeen) throw new Error('the command ended before it printed the wanted line')
}

/** Starts a serving command; resolves with the lines of its standard output until `ready`. `stop()` ends it. */
export async function linesUntilReady(name, args, { env = {} } = {}) {
  const child = spawn(binary(name), args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const lines = []
  const ready = new Promise((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (line.startsWith('ready ')) resolve()
    })
  })
  const failure = ended.then((code) => Promise.reject(new Error(`it ended with ${code} before it was ready:\n${log}`)))
  await Promise.race([ready, failure])
  failure.catch(() => {})
  return {
    lines,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
