/**
 * Puts every style sheet into the layer of its room, so that the room decides which of two rules wins, not the moment a
 * chunk arrives: a page may always differ from the primitive it draws, however late that is fetched. Puts the widths of
 * `styles/media.css` in front as well, where Lightning CSS looks for them.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** From the weakest to the strongest. */
const ROOMS: readonly (readonly [layer: string, files: RegExp])[] = [
  ['libraries', /\/node_modules\//],
  ['base', /\/src\/styles\/(?:fonts|display-font|tokens|base)\.css$/],
  ['parts', /\/src\/styles\/parts\.css$/],
  ['primitives', /\/src\/components\/ui\//],
  ['components', /\/src\/components\/(?!ui\/)/],
  ['features', /\/src\/features\//],
  ['app', /\/src\/app\//],
]

/** In every sheet, since any may be read first. */
const ORDER = `@layer ${ROOMS.map(([layer]) => layer).join(', ')};`

/** The compiled sheet in its layer. Throws for a file of no room, whose rules would beat all others. */
export function inLayer(code: string, file: string): string {
  const [path = file] = file.split('?')
  const room = ROOMS.find(([, files]) => files.test(path))
  if (room === undefined) throw new Error(`${file} is in no room of scripts/style-layers-plugin.ts`)
  return `${ORDER}\n@layer ${room[0]} {\n${code}\n}\n`
}

/** Not what is asked for as text or as an address. */
const SHEETS = /\.css(?!.*[?&](?:raw|url|inline)\b)(?:\?|$)/

/** Two steps: what is composed must stand at the top of a sheet until the sheet is compiled. */
export function styleSheets(): Plugin[] {
  const widths = readFileSync(new URL('../src/styles/media.css', import.meta.url), 'utf8')
  return [
    {
      name: 'palmares-custom-media',
      enforce: 'pre',
      transform: { filter: { id: SHEETS }, handler: (code) => widths + code },
    },
    {
      // Stands between Vite's compiling of sheets and its writing of them.
      name: 'palmares-style-layers',
      transform: { filter: { id: SHEETS }, handler: inLayer },
    },
  ]
}
