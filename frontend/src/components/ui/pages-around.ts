/** `most` page numbers around the current one, or all if there are fewer. */
export function pagesAround(current: number, last: number, most = 5): number[] {
  const count = Math.min(most, last)
  const first = Math.max(1, Math.min(current - Math.floor(count / 2), last - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
