/**
 * Puts every style sheet into the cascade layer of its folder, so that the folder decides which of
 * two rules wins, not the moment at which a chunk arrives: a page may always override a primitive
 * that it draws, however late the primitive is fetched. Also prepends the widths of
 * `styles/media.css`, where Lightning CSS looks for them.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** The layers, from the weakest to the strongest. */
const LAYERS: readonly (readonly [layer: string, files: RegExp])[] = [
  ['libraries', /\/node_modules\//],
  ['base', /\/src\/styles\/(?:fonts|display-font|tokens|base)\.css$/],
  ['parts', /\/src\/styles\/parts\.css$/],
  ['primitives', /\/src\/components\/ui\//],
  ['components', /\/src\/components\/(?!ui\/)/],
  ['features', /\/src\/features\//],
  ['app', /\/src\/app\//],
]

/** The order of the layers stands in every sheet, because any sheet may be read first. */
const ORDER = `@layer ${LAYERS.map(([layer]) => layer).join(', ')};`

/**
 * The compiled sheet in its layer. Throws for a file that belongs to no layer, because unlayered
 * rules beat all others.
 */
export function inLayer(code: string, file: string): string {
  const [path = file] = file.split('?')
  const layer = LAYERS.find(([, files]) => files.test(path))
  if (layer === undefined) throw new Error(`${file} belongs to no layer of scripts/style-layers-plugin.ts`)
  return `${ORDER}\n@layer ${layer[0]} {\n${code}\n}\n`
}

/** Style sheets, except those imported as text or as a URL. */
const SHEETS = /\.css(?!.*[?&](?:raw|url|inline)\b)(?:\?|$)/

/** Two plugins: `composes` must stand at the top of a sheet until the sheet is compiled. */
export function styleSheets(): Plugin[] {
  const widths = readFileSync(new URL('../src/styles/media.css', import.meta.url), 'utf8')
  return [
    {
      name: 'palmares-custom-media',
      enforce: 'pre',
      transform: { filter: { id: SHEETS }, handler: (code) => widths + code },
    },
    {
      // Runs between the Vite plugin that compiles sheets and the one that writes them.
      name: 'palmares-style-layers',
      transform: { filter: { id: SHEETS }, handler: inLayer },
    },
  ]
}
