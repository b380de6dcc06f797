import { expect, it } from 'vitest'
import { arrayLiteral } from './array-literal'

it.each([
  [[], '{}'],
  [['PvP', 'Survie'], '{PvP,Survie}'],
  [['PvP, PvE'], '{"PvP, PvE"}'],
  [['Jeu de rôle', 'éco'], '{"Jeu de rôle",éco}'],
  [['{a}', 'say "b"', String.raw`c\d`], String.raw`{"{a}","say \"b\"","c\\d"}`],
  [['NULL', 'null', ''], '{"NULL","null",""}'],
])('writes %j as one array', (texts, literal) => {
  expect(arrayLiteral(texts)).toBe(literal)
})
