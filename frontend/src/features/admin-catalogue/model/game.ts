/** Validation of a game, and its place among the others. */
import * as v from 'valibot'
import { colour, oneOf, optionalText, requiredText, wholeNumber } from '@/lib/text/rules'

export const MAX_NAME = 80
export const MAX_PATTERN = 200
export const PROTOCOLS = ['minecraft', 'fivem', 'source', 'tcp'] as const

export const gameSchema = (patternWords: string) =>
  v.object({
    name: requiredText(MAX_NAME),
    logo: v.string(),
    backdrop: v.string(),
    steam: v.boolean(),
    protocol: oneOf(PROTOCOLS),
    port: v.nullable(wholeNumber({ min: 1, max: 65535 })),
    nickname: v.pipe(optionalText(MAX_PATTERN), v.check(isPattern, patternWords)),
    colour: v.union([v.literal(''), colour()]),
    order: wholeNumber({ min: 0, max: 100_000 }),
    open: v.boolean(),
  })

export type GameValues = v.InferOutput<ReturnType<typeof gameSchema>>

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

interface GameRow {
  name: string
  logo_url: string | null
  backdrop_url: string | null
  is_steam: boolean
  status_protocol: string
  default_port: number | null
  nickname_pattern: string | null
  accent_color: string | null
  sort_order: number
  is_active: boolean
}

export function gameValues(game: GameRow | null): GameValues {
  return {
    name: game?.name ?? '',
    logo: game?.logo_url ?? '',
    backdrop: game?.backdrop_url ?? '',
    steam: game?.is_steam ?? false,
    protocol: PROTOCOLS.find((protocol) => protocol === game?.status_protocol) ?? 'tcp',
    port: game?.default_port ?? null,
    nickname: game?.nickname_pattern ?? '',
    colour: game?.accent_color ?? '',
    order: game?.sort_order ?? 100,
    open: game?.is_active ?? true,
  }
}

interface GamePosition {
  id: string
  sort_order: number
}

/**
 * The places that change when a game moves by one among those shown in order. Equal places are made
 * distinct.
 */
export function moved(games: readonly GamePosition[], id: string, by: -1 | 1): GamePosition[] {
  const from = games.findIndex((game) => game.id === id)
  const other = games[from + by]
  const game = games[from]
  if (game === undefined || other === undefined) return []
  const swapped = [...games]
  swapped[from] = other
  swapped[from + by] = game
  let last = -1
  return swapped.flatMap(({ id: each, sort_order }, index) => {
    const place = Math.max(last + 1, games[index]?.sort_order ?? 0)
    last = place
    return place === sort_order ? [] : [{ id: each, sort_order: place }]
  })
}
