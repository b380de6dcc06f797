// The published programs, their target machines and the output folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The output folder. */
export const out = join(root, 'target/dist')

/** The newest glibc that Linux binaries may require; Debian 10, RHEL 8, Ubuntu 20.04 have it. */
export const GLIBC = '2.28'

/** Machines by their names in packages, and as others name them. */
export const MACHINES = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc', rust: ['linux', 'x86_64'], target: 'x86_64-unknown-linux-gnu', debian: 'amd64', wheel: 'manylinux_2_28_x86_64', nix: 'x86_64-linux', uname: 'Linux-x86_64' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc', rust: ['linux', 'aarch64'], target: 'aarch64-unknown-linux-gnu', debian: 'arm64', wheel: 'manylinux_2_28_aarch64', nix: 'aarch64-linux', uname: 'Linux-aarch64' },
  'darwin-x64': { os: 'darwin', cpu: 'x64', rust: ['macos', 'x86_64'], target: 'x86_64-apple-darwin', wheel: 'macosx_11_0_x86_64', nix: 'x86_64-darwin', uname: 'Darwin-x86_64' },
  'darwin-arm64': { os: 'darwin', cpu: 'arm64', rust: ['macos', 'aarch64'], target: 'aarch64-apple-darwin', wheel: 'macosx_11_0_arm64', nix: 'aarch64-darwin', uname: 'Darwin-arm64' },
}

/** The programs: the crate each is built from, and what each is in one sentence. */
export const PROGRAMS = {
  'supabase-compat': {
    crate: 'supabase-compat/compat-cli',
    summary: 'Supabase-compatible API in one program',
    description: 'A Supabase-compatible API in one program, with its own PostgreSQL: npx supabase-compat up',
  },
  palmares: {
    crate: 'crates/server',
    summary: 'site that lists private game servers and takes votes for them',
    description: 'Palmarès: a site where players find private game servers and vote for them',
  },
}

/** The version of the workspace. */
export function version() {
  return /^version = "([^"]+)"$/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))[1]
}

/** Whether a program's `--version` says that it is of this workspace; a commit may follow. */
export function isVersion(output, program) {
  const [first] = output.trim().split('\n')
  return first === `${program} ${version()}` || first.startsWith(`${program} ${version()} `)
}

/** This machine, as packages name it; ends the program where nothing is made for it. */
export function machine() {
  const name = `${process.platform}-${process.arch}`
  if (name in MACHINES) return name
  return refuse(`there are no packages for ${name}, only for ${Object.keys(MACHINES).join(', ')}`)
}

/** Prints an error and exits. */
export function refuse(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Runs a command to its end; exits if the command fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (error) refuse(`${command} cannot be started: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** The output of a command; undefined if the command cannot be started or fails. */
export function commandOutput(command, args, options = {}) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, ...options })
  return status === 0 ? stdout : undefined
}

/** SHA-256 of a file, as hexadecimal digits. */
export function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** Replaces each `@name@` of a template; throws if a name has no value. */
export function fill(template, values) {
  return template.replaceAll(/@([a-zA-Z_]+)@/g, (_, name) => {
    if (!(name in values)) throw new Error(`the template asks for @${name}@, which has no value`)
    return String(values[name])
  })
}

/** A program of crates.io: the one that a variable names (`CARGO_DEB`), else compiled once into target/dist/tools. */
export function cargoTool(name, toolVersion, ...args) {
  const override = process.env[name.toUpperCase().replace('-', '_')]
  if (override) return override
  const tools = join(out, 'tools')
  const program = join(tools, 'bin', name)
  const installed = commandOutput('cargo', ['install', '--list', '--root', tools]) ?? ''
  if (!installed.includes(`${name} v${toolVersion}:`)) {
    // The lints of our own crates do not apply to crates of others.
    const env = { ...process.env, RUSTC_WORKSPACE_WRAPPER: '', CARGO_TARGET_DIR: join(tools, 'build') }
    run('cargo', ['install', '--locked', '--quiet', '--root', tools, ...args, `${name}@${toolVersion}`], { env })
  }
  return program
}
