/**
 * Writes the text files of a build, one for each language and namespace. Their names share one
 * hash, so the pages compute a file's address; a table of all names would be part of every page's
 * script.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const FOLDER = new URL('../locales/', import.meta.url)
/** The address of a text file on the development server. */
const SOURCE = '/locales/{language}/{namespace}.json'

interface TextFile {
  language: string
  namespace: string
  json: string
}

/** Defines the address pattern for the pages, and writes the files into a build. */
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
