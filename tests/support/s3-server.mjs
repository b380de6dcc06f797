// A store that speaks S3 and checks signatures, written by others: `s3s-fs` (scripts/install-tools).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { eventually, freePort, scratchFolder } from './server.mjs'

/** Runs it with one bucket until `stop()`; `env` is what a server of ours needs to keep objects there. */
export async function startS3Server() {
  const scratch = scratchFolder()
  mkdirSync(join(scratch.path, 'objects'))
  const port = await freePort()
  const child = spawn(
    's3s-fs',
    ['--host', '127.0.0.1', '--access-key', 'key', '--secret-key', 'secret', '--port', String(port), scratch.path],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await eventually(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
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
