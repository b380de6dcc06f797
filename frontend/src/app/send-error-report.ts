/**
 * Reports uncaught errors to the site: release, page, the error's name and positions in built
 * files. The error's message and the page's address are omitted, because either may name a person.
 */
import { publicFunctions } from '@/lib/api/functions'
import { ApiError } from '@/lib/api/errors'
import { pageAt } from '@/lib/routing/paths'

interface ErrorReport {
  release: string
  page: string
  name: string
  /** `file.js:line:column`, the innermost call first. */
  frames: readonly string[]
}

/** Reports per visit; further ones would repeat what is known. */
const REPORTS = 5
const FRAMES = 10

const sent = new Set<string>()

/**
 * Reports each place in the code once. Nothing waits for a report, and its own failures are
 * ignored.
 */
export async function sendErrorReport(error: unknown): Promise<void> {
  const report = errorReport(error, location.pathname, document)
  if (report === null) return
  const place = `${report.name} ${report.frames.join(' ')}`
  if (sent.has(place) || sent.size >= REPORTS) return
  sent.add(place)
  await publicFunctions.invoke('page-error', { body: report })
}

/** Null if the error is not in this site's scripts, or is a network error. */
export function errorReport(error: unknown, pathname: string, page: Document): ErrorReport | null {
  if (!(error instanceof Error) || isOfNetwork(error)) return null
  const frames = [...(error.stack ?? '').matchAll(/\/assets\/([\w.-]+\.js):(\d+):(\d+)/g)]
    .slice(0, FRAMES)
    .map(([, file, line, column]) => `${file}:${line}:${column}`)
  const release = releaseOf(page)
  if (frames.length === 0 || release === null) return null
  return { release, page: pageAt(pathname)?.key ?? 'missing', name: nameOf(error), frames }
}

/** The name of the page's entry script, which identifies the build. */
function releaseOf(page: Document): string | null {
  const source = page.querySelector('script[type=module][src*="/assets/"]')?.getAttribute('src')
  return source?.match(/\/assets\/([\w.-]{1,61})\.js$/)?.[1] ?? null
}

/** React's production build numbers its errors. */
function nameOf(error: Error): string {
  const number = /^Minified React error #(\d+)/.exec(error.message)?.[1]
  if (number !== undefined) return `React${number}`
  return /^\w{1,64}$/.test(error.name) ? error.name : 'Error'
}

function isOfNetwork(error: Error): boolean {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return true
  if (error instanceof ApiError) return error.code === 'offline'
  // The messages of Chromium, Firefox and Safari for a failed request or a script that did not
  // load.
  return /fetch|NetworkError|Load failed|importing a module script/i.test(error.message)
}
