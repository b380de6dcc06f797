import { expect, it } from 'vitest'
import { deviceOf } from './device'

const MOZILLA = 'Mozilla/5.0'

it.each([
  [`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox', 'Linux', false],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36`,
    'Chrome',
    'Windows',
    false,
  ],
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36 Edg/143.0`,
    'Edge',
    'Windows',
    false,
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iPhone',
    true,
  ],
  [
    `${MOZILLA} (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
    true,
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 Version/19.1 Safari/605.1`,
    'Safari',
    'macOS',
    false,
  ],
  ['curl/8.5.0', null, null, false],
])('%s', (userAgent, browser, system, isPhone) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, isPhone, program: browser === null ? userAgent : null })
})

it('returns an unknown device without user agent', () => {
  expect(deviceOf(null)).toEqual({ browser: null, system: null, isPhone: false, program: null })
})

it('names the program of a non-browser client', () => {
  expect(deviceOf('curl/8.5.0').program).toBe('curl/8.5.0')
  expect(deviceOf('node').program).toBe('node')
  expect(deviceOf(`${MOZILLA} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`).program).toBeNull()
  expect(deviceOf('<b>').program).toBeNull()
  expect(deviceOf('Mozilla/5.0 (compatible)').program).toBeNull()
  expect(deviceOf(null).program).toBeNull()
})
