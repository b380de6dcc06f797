/** A name that is not in `taken`: the wanted name, or that with the first free number appended. */
export function freeName(wish: string, taken: readonly string[]): string {
  if (!taken.includes(wish)) return wish
  let number = 2
  while (taken.includes(`${wish} ${number}`)) number += 1
  return `${wish} ${number}`
}
