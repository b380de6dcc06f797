// A handler of the same framework that does nothing: the cost of an answer without any work.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { binary } from '../tests/support/server.mjs'

/** Answers every request with this body until `stop()`. */
export async function startBare(body) {
  const child = spawn(binary('bare'), [body], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => Promise.reject(new Error('the bare handler did not start: cargo build -p bench-programs'))),
  ])
  return {
    url: line.slice('ready '.length),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
