/** Up to `most` page numbers around the current one, always as many as there are. */
export function pagesAround(current: number, last: number, most = 5): number[] {
  const count = Math.min(most, last)
  const first = Math.max(1, Math.min(current - Math.floor(count / 2), last - count + 1))
  return Array.from({ length: count }, (_, index) => first + index)
}
