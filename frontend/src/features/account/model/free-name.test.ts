import { expect, it } from 'vitest'
import { freeName } from './free-name'

it('keeps a free name and numbers taken ones', () => {
  expect(freeName('App', [])).toBe('App')
  expect(freeName('App', ['App'])).toBe('App 2')
  expect(freeName('App', ['App 2', 'App', 'App 3'])).toBe('App 4')
})
