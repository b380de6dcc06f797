import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { inLayer } from '../../scripts/style-layers-plugin'

const SHEETS = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.css') && file !== 'styles/media.css',
)

it('wraps every stylesheet in an ordered layer', () => {
  expect(SHEETS.length).toBeGreaterThan(50)
  for (const file of SHEETS)
    expect(inLayer('a {}', `/site/src/${file}`), file).toMatch(/^@layer .+;\n@layer \w+ {\na {}\n}/)
})

it('orders layers from libraries to pages', () => {
  const layerOf = (file: string): number => {
    const [, order = '', layer = ''] = /^@layer (.+);\n@layer (\w+)/.exec(inLayer('', file)) ?? []
    return order.split(', ').indexOf(layer)
  }
  const places = [
    '/site/node_modules/some/library.css',
    '/site/src/styles/base.css',
    '/site/src/styles/parts.css',
    '/site/src/components/ui/button.module.css',
    '/site/src/components/form/form.module.css',
    '/site/src/features/home/components/hero.module.css?direct',
    '/site/src/app/page.module.css',
  ].map(layerOf)
  expect(places).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(() => inLayer('', '/site/src/lib/odd.css')).toThrow('belongs to no layer')
})
