import { describe, expect, it } from 'vitest'
import type { Game } from '@/entities/game/queries'
import { byServers, figuresOf } from './figures'

function game(slug: string, servers: number | null): Game {
  const figures = servers === null ? null : { servers, players_online: 10, votes_this_month: 5, votes_total: 50 }
  return { id: slug, name: slug, slug, page_slug: slug, logo_url: null, backdrop_url: null, game_figures: figures }
}

describe('games', () => {
  it('are sorted by server count, then shortcut', () => {
    const games = [
      game('aion', null),
      game('élite', 2),
      game('eden', 2),
      game('zoo', 2),
      game('rust', 2),
      game('dayz', 0),
    ]
    const slugs = byServers([...games, game('minecraft', 9)], 'fr').map(({ slug }) => slug)
    expect(slugs).toEqual(['minecraft', 'rust', 'eden', 'élite', 'zoo', 'dayz', 'aion'])
  })

  it('on one page are counted together', () => {
    const games = [game('dofus-2x', 3), game('dofus-retro', 8), game('rust', 4)]
    expect(figuresOf(games, ['dofus-2x', 'dofus-retro'])).toEqual({
      servers: 11,
      players_online: 20,
      votes_this_month: 10,
      votes_total: 100,
    })
    expect(figuresOf([game('new', null)], ['new'])).toBeUndefined()
  })
})
