// An S3 server that checks signatures: the binary `s3-server` of the crate compat-testkit-s3, which
// wraps a published implementation.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { binary, scratchFolder } from './server.mjs'

/** Runs the S3 server with one bucket until `stop()`; `env` makes a server of ours keep its objects there. */
export async function startS3Server() {
  const scratch = scratchFolder()
  mkdirSync(join(scratch.path, 'objects'))
  const child = spawn(binary('s3-server'), [scratch.path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const url = await firstLine(child, ended)
  return {
    folder: join(scratch.path, 'objects'),
    env: {
      STORAGE_BACKEND: 's3',
      STORAGE_S3_BUCKET: 'objects',
      STORAGE_S3_ENDPOINT: url,
      STORAGE_S3_REGION: 'eu-west-3',
      STORAGE_S3_FORCE_PATH_STYLE: 'true',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    async stop() {
      child.kill()
      await ended
      scratch.remove()
    },
  }
}

/** The server's address: the only line that it prints. */
async function firstLine(child, ended) {
  const lines = createInterface({ input: child.stdout })
  const failed = ended.then(([code]) => {
    throw new Error(`s3-server ended with ${code} before it listened`)
  })
  const [line] = await Promise.race([once(lines, 'line'), failed])
  return line
}
