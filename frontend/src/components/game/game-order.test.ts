import { expect, test } from 'vitest'
import { containing, inOrder } from './game-order'

const game = (name: string, servers = 0) => ({ id: name, name, game_figures: { servers } })

test('games sort by server count before name', () => {
  const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((name, index) => game(name, index + 1))
  expect(inOrder(many, 'fr').map(({ name }) => name)).toEqual(['I', 'H', 'G', 'F', 'E', 'D', 'C', 'B', 'A'])
})

test('games without servers sort by locale', () => {
  const unsorted = ['Émeraude', 'CS2', 'Aion', 'CS:GO', 'ARK', 'Dofus'].map((name) => game(name))
  expect(inOrder(unsorted, 'fr').map(({ name }) => name)).toEqual(['Aion', 'ARK', 'CS:GO', 'CS2', 'Dofus', 'Émeraude'])
})

test('game search ignores accents and case', () => {
  const games = [game('Émeraude'), game('Garry’s Mod'), game('GTA V (FiveM)')]
  expect(containing(games, 'eme').map(({ name }) => name)).toEqual(['Émeraude'])
  expect(containing(games, 'fivem').map(({ name }) => name)).toEqual(['GTA V (FiveM)'])
  expect(containing(games, '')).toHaveLength(3)
})
