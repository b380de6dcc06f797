import { expect, it } from 'vitest'
import { freeName } from './free-name'

it('keeps a wish that is free and numbers one that is not', () => {
  expect(freeName('App', [])).toBe('App')
  expect(freeName('App', ['App'])).toBe('App 2')
  expect(freeName('App', ['App 2', 'App', 'App 3'])).toBe('App 4')
})
