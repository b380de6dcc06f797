/** Downloads a text as a file. */
export function saveText(name: string, type: string, parts: string[]): void {
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the file after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
