/**
 * Writes the site's logo and name (from the pictures folder) and all icons into the page as
 * symbols: they are drawn before any script has run, and every component that shows them refers to
 * them.
 */
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import icons from '../src/components/ui/icons.json' with { type: 'json' }

export function symbols(): Plugin {
  return {
    name: 'palmares-symbols',
    transformIndexHtml: (html) =>
      html.replace(
        '<!--palmares:symbols-->',
        () => `<svg width="0" height="0" style="position: absolute" aria-hidden="true">${brand()}${shapes()}</svg>`,
      ),
  }
}

function brand(): string {
  const symbol = (id: string, file: string) =>
    readFileSync(new URL(`../../storage/pictures/brand/${file}`, import.meta.url), 'utf8')
      .trim()
      .replace(/^<svg[^>]*?(viewBox="[^"]*")[^>]*>/, `<symbol id="${id}" $1>`)
      .replace(/<\/svg>$/, '</symbol>')
      .replace(/id="(leaf|gold)"/g, 'id="brand-$1"')
      .replace(/url\(#(leaf|gold)\)/g, 'url(#brand-$1)')
  return symbol('brand-mark', 'mark.svg') + symbol('brand-name', 'wordmark.svg')
}

/** Elements other than symbols inherit size and stroke from the component that shows them. */
function shapes(): string {
  const paths = Object.entries(icons).map(([name, shape]) => `<path id="icon-${name}" d="${shape}"/>`)
  return `<defs>${paths.join('')}</defs>`
}
