// Processor time and memory of processes, read from Linux's /proc.
import { readFileSync, readdirSync } from 'node:fs'

/** Clock ticks per second in the stat files of /proc; fixed on Linux. */
const TICKS = 100

function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // The process's own time, and that of its ended children, such as closed database connections.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent: Number(fields[1]), ticks }
}

/** The ids of a process and of all its descendants. */
export function family(root) {
  const parents = new Map()
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(name), stat(name).parent)
    } catch {
      // The process ended in the meantime.
    }
  }
  const members = new Set([root])
  for (let grew = true; grew; ) {
    grew = false
    for (const [pid, parent] of parents) {
      if (members.has(parent) && !members.has(pid)) grew = Boolean(members.add(pid))
    }
  }
  return [...members]
}

/** Processor seconds of a process, without its running children. */
export const cpuSeconds = (pid) => {
  try {
    return stat(pid).ticks / TICKS
  } catch {
    return 0
  }
}

/** Processor seconds by process, for a later `cpuSince`. */
export const cpuOf = (pids) => new Map(pids.map((pid) => [pid, cpuSeconds(pid)]))

/** Processor seconds since `before` of a process and its descendants, except those in `without`. */
export function cpuSince(root, before, without = []) {
  return family(root)
    .filter((pid) => !without.includes(pid))
    .reduce((sum, pid) => sum + cpuSeconds(pid) - (before.get(pid) ?? 0), 0)
}

function memoryLine(pid, file, name) {
  try {
    const line = readFileSync(`/proc/${pid}/${file}`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))
    return line ? Number(line[1]) / 1024 : 0
  } catch {
    return 0
  }
}

/** Resident memory of a process in MiB. */
export const residentMiB = (pid) => memoryLine(pid, 'status', 'VmRSS')

/** Memory of several processes in MiB; shared pages count once. */
export const proportionalMiB = (pids) => pids.reduce((sum, pid) => sum + memoryLine(pid, 'smaps_rollup', 'Pss'), 0)
