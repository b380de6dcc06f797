/** Copies text to the clipboard; rejects when the browser refuses. */
export async function copyText(text: string): Promise<void> {
  // Browsers offer no Clipboard API to pages served over plain HTTP.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const { copySelected } = await import('./copy-selected')
  if (!copySelected(text)) throw new Error('The browser refused to copy')
}
