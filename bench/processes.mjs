// What Linux knows of processes: time on a core, memory. Everything is read from /proc.
import { readFileSync, readdirSync } from 'node:fs'

/** Clock ticks per second in the stat files of /proc; fixed on Linux. */
const TICKS = 100

function stat(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // Its own time, and that of children it has seen end: connections that are closed by now.
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { parent: Number(fields[1]), ticks }
}

/** A process and everything below it. */
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

/** Seconds on a core, of a process alone. */
export const cpuSeconds = (pid) => {
  try {
    return stat(pid).ticks / TICKS
  } catch {
    return 0
  }
}

/** Seconds on a core by process, to be subtracted later. */
export const cpuOf = (pids) => new Map(pids.map((pid) => [pid, cpuSeconds(pid)]))

/** Seconds spent since `before`, by all members of a family but those in `without`. */
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

/** MiB resident of one process. */
export const residentMiB = (pid) => memoryLine(pid, 'status', 'VmRSS')

/** MiB of several processes, pages they share counted once. */
export const proportionalMiB = (pids) => pids.reduce((sum, pid) => sum + memoryLine(pid, 'smaps_rollup', 'Pss'), 0)
