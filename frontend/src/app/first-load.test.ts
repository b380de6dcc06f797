/**
 * What each page loads first: its texts, and the rows it queries before it is drawn. Recorded in
 * `first-load.json`, from which the server writes both into the HTML. After a change of a page's
 * texts or first queries: `npx vitest run src/app/first-load.test.ts --update`
 */
import { format } from 'prettier'
import { expect, test, vi } from 'vitest'
import { LANGUAGES } from '@/lib/i18n/languages'
import { PAGE_KEYS, pageOf, patternOf, type PageKey } from '@/lib/routing/pages'
import shortcuts from '@/lib/shortcuts.json'
import { dropWritten, questionOf, readWritten } from '@/lib/api/written-rows'
import { createQueryClient } from '@/lib/query/query-client'
import { prepare, startingTexts } from './router'

const ANY_ID = '00000000-0000-4000-8000-000000000000'
/** The headers that decide an answer's format; all requests share the others. */
const FORM = ['accept', 'prefer'] as const

/** Order and range of a list's first page; the server queries the page that the address names. */
const LIST = /^(.*)&order=([^&]*)&offset=0&limit=(\d+)$/
/** The rows of this query say how many servers a page's list has. */
const TOTAL = 'game_figures?'

interface Question {
  get: string
  headers?: Record<string, string>
  list?: { order: string; limit: number }
  total?: true
}

/** A request as it is recorded. */
function described(text: string): Question {
  const [, get, order, limit] = LIST.exec(text) ?? []
  if (get !== undefined && order !== undefined) return { get, list: { order, limit: Number(limit) } }
  return { get: text, ...(text.startsWith(TOTAL) && { total: true }) }
}

/** The recorded request for the first page, as the server sends it. */
const wholeOf = ({ get, list }: Question) =>
  list === undefined ? get : `${get}&order=${list.order}&offset=0&limit=${list.limit}`

/** The value that replaces each parameter in the recorded file. */
const STAND_INS: Record<string, string> = { slug: 'any-slug', uuid: ANY_ID, month: '2000-01' }

/** A path of the page, with placeholder parameters. */
function pathOf(key: PageKey, shortcut = ''): string {
  const segments = patternOf(key, LANGUAGES[0]).map(({ text, param }) =>
    param === null ? text : text + (STAND_INS[param.kind] ?? shortcut),
  )
  return `/${segments.join('/')}`
}

async function questionsOf(path: string, params: Readonly<Record<string, string>>): Promise<Question[]> {
  const requests: Question[] = []
  vi.stubGlobal('fetch', (url: string, { method, headers }: RequestInit) => {
    if (method !== 'GET') return Promise.resolve(new Response('[]'))
    const sentHeaders = new Headers(headers)
    const form = FORM.flatMap((name) => {
      const value = sentHeaders.get(name)
      return value === null || value === 'application/json' ? [] : [[name, value] as const]
    })
    let get = questionOf(url)
    for (const [name, kind] of Object.entries(params)) get = get.replaceAll(STAND_INS[kind] ?? kind, `{${name}}`)
    requests.push({ ...described(get), ...(form.length > 0 && { headers: Object.fromEntries(form) }) })
    return Promise.resolve(new Response('[]', { headers: { 'content-range': '*/0' } }))
  })
  const queries = createQueryClient({ announce: () => {}, retries: 0 })
  await (
    await prepare(queries, path, '')
  ).rows
  // The requests are sent in parallel, in no fixed order.
  return requests.toSorted((one, other) => one.get.localeCompare(other.get))
}

/** The requests of a page that the recorded ones do not cover. */
async function missedBy(path: string, questions: readonly Question[]): Promise<string[]> {
  const entries = questions.map((question) => [
    wholeOf(question),
    200,
    null,
    question.headers?.accept === undefined ? [] : {},
  ])
  const textContent = JSON.stringify(entries)
  readWritten({ getElementById: () => Object.assign(document.createElement('script'), { textContent }) })
  const missed = await questionsOf(path, {})
  dropWritten()
  return missed.map(wholeOf)
}

async function loadOf(path: string, params: Readonly<Record<string, string>> = {}) {
  const rows = await questionsOf(path, params)
  return { texts: startingTexts(path), ...(rows.length > 0 && { rows }) }
}

test('initial requests of each page match the snapshot', async () => {
  const table: Record<string, unknown> = { missing: await loadOf('/nothing/here') }
  for (const key of PAGE_KEYS) {
    if (key !== 'shortcut') table[key] = await loadOf(pathOf(key), pageOf(key).params)
    else for (const word of Object.keys(shortcuts)) table[`${key}/${word}`] = await loadOf(pathOf(key, word))
  }
  const text = await format(JSON.stringify(table), { parser: 'json', printWidth: 120 })
  await expect(text).toMatchFileSnapshot('./first-load.json')
})

test('prefetched rows cover all requests of each page', async () => {
  for (const key of PAGE_KEYS) {
    const path = pathOf(key, Object.keys(shortcuts)[1])
    expect(await missedBy(path, await questionsOf(path, {}))).toEqual([])
  }
})

test('prefetch queries contain no dates and stay parseable', async () => {
  const { default: table } = await import('./first-load.json')
  const questions = Object.values(table).flatMap((page) => ('rows' in page ? page.rows : []))
  expect(questions.length).toBeGreaterThan(10)
  for (const { get } of questions) {
    expect(get).not.toMatch(/\d{4}-\d\d-\d\d/)
    for (const pair of get.split('?')[1]!.split('&')) if (pair !== '') expect(pair).toContain('=')
  }
})
