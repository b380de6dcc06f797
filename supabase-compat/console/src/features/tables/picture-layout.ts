/**
 * The layout of a schema diagram: referenced tables right of referencing ones, in columns of even
 * height.
 */

export interface Box {
  name: string
  height: number
}

interface Link {
  source: string
  target: string
}

const WIDTH = 300
const GAP = 40

export function positionsOf(boxes: readonly Box[], links: readonly Link[]): Map<string, { x: number; y: number }> {
  const ranks = ranksOf(boxes, links)
  const columns = new Map<number, Box[]>()
  for (const box of boxes) {
    const rank = ranks.get(box.name) ?? 0
    columns.set(rank, [...(columns.get(rank) ?? []), box])
  }
  const tallest = Math.max(900, Math.sqrt(boxes.reduce((all, { height }) => all + height + GAP, 0) * WIDTH) * 0.8)
  const positions = new Map<string, { x: number; y: number }>()
  let x = 0
  for (const rank of [...columns.keys()].toSorted((one, other) => one - other)) {
    let y = 0
    for (const { name, height } of columns.get(rank)!) {
      // A column that grows too tall is continued in another beside it.
      if (y > 0 && y + height > tallest) {
        x += WIDTH
        y = 0
      }
      positions.set(name, { x, y })
      y += height + GAP
    }
    x += WIDTH
  }
  return positions
}

/** The longest chain of references from each box; cycles end it. */
function ranksOf(boxes: readonly Box[], links: readonly Link[]): Map<string, number> {
  const ranks = new Map(boxes.map(({ name }) => [name, 0]))
  for (let round = 0; round < boxes.length; round++) {
    let hasChanged = false
    for (const { source, target } of links) {
      const rank = (ranks.get(source) ?? 0) + 1
      if (source === target || (ranks.get(target) ?? 0) >= rank || rank >= boxes.length) continue
      ranks.set(target, rank)
      hasChanged = true
    }
    if (!hasChanged || round > 12) break
  }
  return ranks
}
