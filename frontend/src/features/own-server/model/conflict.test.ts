import { expect, it } from 'vitest'
import { conflictingFields } from './conflict'

const BASE = { name: 'A', version: '1', tags: ['x'] }

it.each([
  ['nothing, where the other changed what is not in this form', { ...BASE, description: 'new' }, BASE, []],
  ['what both changed', { ...BASE, name: 'B' }, { ...BASE, name: 'C' }, ['name']],
  ['what only the other changed, since it is sent along', { ...BASE, tags: ['y'] }, { ...BASE, name: 'C' }, ['tags']],
  ['nothing, where both changed it alike', { ...BASE, name: 'B' }, { ...BASE, name: 'B' }, []],
  ['nothing, where only this form changed it', BASE, { ...BASE, name: 'C' }, []],
] as const)('names %s', (_, fresh, edited, expected) => {
  expect(
    conflictingFields(
      { ...BASE, tags: [...BASE.tags] },
      { ...fresh, tags: [...fresh.tags] },
      { ...edited, tags: [...edited.tags] },
    ),
  ).toEqual(expected)
})

it('names every difference when the base is unknown', () => {
  expect(conflictingFields(null, { name: 'B', version: '1' }, { name: 'C', version: '1' })).toEqual(['name'])
})
