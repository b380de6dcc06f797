/** A name nobody of `taken` has: the wish itself, or with the first free number after it. */
export function freeName(wish: string, taken: readonly string[]): string {
  if (!taken.includes(wish)) return wish
  let number = 2
  while (taken.includes(`${wish} ${number}`)) number += 1
  return `${wish} ${number}`
}
