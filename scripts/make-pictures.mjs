// Draws every picture the site starts with into storage/pictures/.
//   node scripts/make-pictures.mjs            all SVG, and the PNG and JPEG files when playwright-core and pngquant are at hand
//   node scripts/make-pictures.mjs --svg      only the SVG files
//   node scripts/make-pictures.mjs games/wow  only what has this in its path
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pictures, rasters } from './pictures/catalogue.mjs'
import { openBrowser } from './pictures/browser.mjs'

const target = join(dirname(fileURLToPath(import.meta.url)), '..', 'storage', 'pictures')
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isWanted = (path) => names.length === 0 || names.some((word) => path.includes(word))

const write = (path, content) => {
  const file = join(target, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const failures = []
let total = 0
for (const { path, limit, draw } of pictures) {
  if (!isWanted(path)) continue
  const svg = draw()
  const size = Buffer.byteLength(svg)
  total += size
  if (size > limit) failures.push(`${path}: ${size} bytes, at most ${limit} allowed`)
  if (/NaN|undefined|Infinity|<text|<script|<image|href="(?!#)/.test(svg)) failures.push(`${path}: holds something a picture must not hold`)
  write(path, svg)
}
console.log(`SVG: ${Math.round(total / 1024)} kB`)

if (!process.argv.includes('--svg')) {
  const browser = await openBrowser()
  if (!browser) console.log('PNG: left as they are (playwright-core, Chromium or pngquant not found)')
  for (const { path, width, height, draw, type } of browser ? rasters : []) {
    if (isWanted(path)) write(path, await browser.render(draw(), width, height, type))
  }
  await browser?.close()
}

if (failures.length) {
  console.error(failures.join('\n'))
  process.exitCode = 1
}
