import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nicknameProblem } from './nickname'

it('takes the names players carry', () => {
  for (const name of ['Ada_99', 'Éowyn', 'Иван', '小明小', '[Modo] Zoé', "O'Neil", 'a.b-c', '  Ada '])
    expect(nicknameProblem(name)).toBeNull()
})

it('asks for 2 to 50 characters', () => {
  for (const name of ['', ' a ', 'x'.repeat(51)]) expect(nicknameProblem(name)).toBe('nicknameLength')
  for (const name of ['ab', 'x'.repeat(50)]) expect(nicknameProblem(name)).toBeNull()
})

it('refuses what means something elsewhere', () => {
  for (const name of ['<b>x</b>', 'a&b', 'a"b', 'ab{}', 'ab`;', 'a/b', 'a\u0000b', 'a\u200bb', 'ab\u3164', 'a\nb']) {
    expect(nicknameProblem(name)).toBe('nicknameCharacters')
  }
})

it('follows the rule of the game, whole', () => {
  const minecraft = '[A-Za-z0-9_]{3,16}'
  expect(nicknameProblem('Steve_42', minecraft)).toBeNull()
  expect(nicknameProblem('Steve 42', minecraft)).toBe('nicknameGame')
  expect(nicknameProblem('ab', minecraft)).toBe('nicknameGame')
  expect(nicknameProblem('Ada', '[')).toBeNull()
})

it('never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.option(fc.string()), (name, pattern) => {
      nicknameProblem(name, pattern)
    }),
  )
})
