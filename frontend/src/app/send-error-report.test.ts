import { expect, it } from 'vitest'
import { ApiError } from '@/lib/api/errors'
import { errorReport } from './send-error-report'

const page = new DOMParser().parseFromString(
  '<script type="module" crossorigin src="/assets/index-B1x_9.js"></script>',
  'text/html',
)

function thrown(error: Error, ...frames: string[]): Error {
  error.stack = [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at f (${frame})`)].join('\n')
  return error
}

const PLACE = 'https://palmares.test/assets/card-x1.js:2:345'

it('names release, page and places in the code', () => {
  const error = thrown(new TypeError('x is undefined'), PLACE, 'https://palmares.test/assets/index-B1x_9.js:9:1')
  expect(errorReport(error, '/en/game/rust', page)).toEqual({
    release: 'index-B1x_9',
    page: 'game',
    name: 'TypeError',
    frames: ['card-x1.js:2:345', 'index-B1x_9.js:9:1'],
  })
})

it('omits error text and the query string', () => {
  const error = thrown(new Error('no such person: ada@example.com'), PLACE)
  error.name = 'Error of ada@example.com'
  const report = JSON.stringify(errorReport(error, '/profile?token=secret', page))
  expect(report).not.toMatch(/ada|secret|profile\?/)
})

it('names an error of React by its number', () => {
  expect(errorReport(thrown(new Error('Minified React error #418; visit …'), PLACE), '/', page)?.name).toBe('React418')
})

it('ignores network errors and foreign scripts', () => {
  for (const error of [
    thrown(new TypeError('Failed to fetch'), PLACE),
    thrown(new TypeError('Importing a module script failed.'), PLACE),
    thrown(new ApiError('offline', 'no answer', 0), PLACE),
    thrown(new DOMException('stopped', 'AbortError'), PLACE),
    thrown(new Error('of an extension'), 'chrome-extension://abc/content.js:1:2'),
  ])
    expect(errorReport(error, '/', page)).toBeNull()
  expect(errorReport('text', '/', page)).toBeNull()
  expect(errorReport(thrown(new Error('while developing'), PLACE), '/', new Document())).toBeNull()
})

it('keeps the ten innermost calls', () => {
  const error = thrown(
    new Error('deep'),
    ...Array.from({ length: 30 }, (_, line) => `https://a.test/assets/a.js:${line}:1`),
  )
  expect(errorReport(error, '/nowhere/at/all', page)).toMatchObject({ page: 'missing', frames: { length: 10 } })
})
