// The program that runs functions in TypeScript, out of npm's package for Linux on x86-64. (The package `deno`
// only looks for such a one.)
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

export const DENO = join(dirname(require.resolve('@deno/linux-x64-glibc/package.json')), 'deno')

/** Functions as any project has them. */
export const FUNCTIONS = fileURLToPath(new URL('../functions', import.meta.url))
