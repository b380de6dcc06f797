import { expect, it } from 'vitest'
import { csvOf } from './csv'

it('separates columns by locale and quotes cells', () => {
  expect(
    csvOf(
      ['Nom', 'Votes'],
      [
        ['a;b', 1.5],
        ['say "hi"', null],
      ],
      'fr',
    ),
  ).toBe('\ufeffNom;Votes\r\n"a;b";1.5\r\n"say ""hi""";\r\n')
  expect(csvOf(['a'], [['x,y']], 'en')).toBe('\ufeffa\r\n"x,y"\r\n')
})

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('writes no formula: %s', (text) => {
  expect(csvOf([], [[text]], 'en')).toContain(`'${text}`)
})
