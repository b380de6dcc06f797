/** Copies text by selecting it in a field, for pages over plain HTTP; true if it was copied. */
export function copySelected(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position:fixed;opacity:0'
  document.body.append(field)
  const before = document.activeElement
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
