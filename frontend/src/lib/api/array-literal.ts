/**
 * An array literal of PostgreSQL with quoted elements, so that commas and braces are part of the
 * text.
 */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map(element).join(',')}}`
}

function element(text: string): string {
  const isPlain = /^[^\s,{}"\\]+$/.test(text) && !/^null$/i.test(text)
  return isPlain ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
