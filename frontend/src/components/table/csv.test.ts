import { expect, it } from 'vitest'
import { csvOf } from './csv'

it('parts columns as the language’s spreadsheets do and quotes what needs it', () => {
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
