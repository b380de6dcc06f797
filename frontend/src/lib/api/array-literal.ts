/** Texts as PostgreSQL reads an array of them: one with a comma or a brace in it is still one. */
export function arrayLiteral(texts: readonly string[]): string {
  return `{${texts.map(element).join(',')}}`
}

function element(text: string): string {
  const isPlain = /^[^\s,{}"\\]+$/.test(text) && !/^null$/i.test(text)
  return isPlain ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}
