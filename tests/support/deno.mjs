// The program that runs functions in TypeScript, out of npm's package for this machine. The `deno`
// package is a script that looks for it, and its installation step, which npm may block, only links it.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const platform = { 'linux-x64': 'linux-x64-glibc', 'linux-arm64': 'linux-arm64-glibc' }[`${process.platform}-${process.arch}`]

export const DENO = join(
  dirname(require.resolve(`@deno/${platform ?? `${process.platform}-${process.arch}`}/package.json`)),
  'deno',
)

/** Functions as any project has them. */
export const FUNCTIONS = fileURLToPath(new URL('../functions', import.meta.url))
