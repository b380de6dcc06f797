/**
 * The files of texts in a build: one a language and namespace, named with one hash of them all, so that the pages reckon
 * an address, where a table of all names would come with every page's script.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const FOLDER = new URL('../locales/', import.meta.url)
/** Where the development server has them. */
const SOURCE = '/locales/{language}/{namespace}.json'

interface TextFile {
  language: string
  namespace: string
  json: string
}

/** Tells the pages the pattern of the addresses, and writes the files into a build. */
export function texts(): Plugin {
  return {
    name: 'palmares-texts',
    config: (_config, { command }) => {
      const pattern = command === 'build' ? `/${patternOf(readTexts())}` : SOURCE
      return { define: { TEXTS_ADDRESS: JSON.stringify(pattern) } }
    },
    generateBundle() {
      const files = readTexts()
      for (const file of files)
        this.emitFile({ type: 'asset', fileName: nameOf(file, patternOf(files)), source: file.json })
    },
  }
}

/** The files of a build by language and namespace. */
export function textsOfBuild(): Record<string, Record<string, string>> {
  const files = readTexts()
  const table: Record<string, Record<string, string>> = {}
  for (const file of files) (table[file.language] ??= {})[file.namespace] = nameOf(file, patternOf(files))
  return table
}

function readTexts(): TextFile[] {
  return readdirSync(FOLDER).flatMap((language) =>
    readdirSync(new URL(`${language}/`, FOLDER)).map((file) => {
      const text: unknown = JSON.parse(readFileSync(new URL(`${language}/${file}`, FOLDER), 'utf8'))
      return { language, namespace: file.replace(/\.json$/, ''), json: JSON.stringify(text) }
    }),
  )
}

function patternOf(files: readonly TextFile[]): string {
  const hash = createHash('sha256').update(JSON.stringify(files)).digest('base64url').slice(0, 8)
  return `assets/{namespace}-{language}-${hash}.json`
}

const nameOf = ({ language, namespace }: TextFile, pattern: string) =>
  pattern.replace('{namespace}', namespace).replace('{language}', language)
