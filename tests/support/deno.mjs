// The Deno program that runs TypeScript functions, from npm's package for Linux on x86-64. (The package `deno`
// only locates such a package.)
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)

export const DENO = join(dirname(require.resolve('@deno/linux-x64-glibc/package.json')), 'deno')

/** The folder of the tests' functions. */
export const FUNCTIONS = fileURLToPath(new URL('../functions', import.meta.url))
