// The texts of the pages, so that one test can run in every language.
import { readFileSync } from 'node:fs'

const read = (language, namespace) =>
  JSON.parse(readFileSync(new URL(`../../frontend/locales/${language}/${namespace}.json`, import.meta.url), 'utf8'))

/** `t('auth:signIn.submit', { name })` in one language; a missing key throws. */
export function textsOf(language) {
  const files = new Map()
  return (name, values = {}) => {
    const [namespace, key] = name.split(':')
    if (!files.has(namespace)) files.set(namespace, read(language, namespace))
    const text = key.split('.').reduce((tree, part) => tree?.[part], files.get(namespace))
    if (typeof text !== 'string') throw new Error(`no text for ${name} in ${language}`)
    return text.replace(/\{\{(\w+)\}\}/g, (_, value) => values[value])
  }
}
