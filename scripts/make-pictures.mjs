// Draws every picture of a new site into storage/pictures/.
//   node scripts/make-pictures.mjs            all SVG, and the PNG and JPEG files when playwright-core and pngquant are installed
//   node scripts/make-pictures.mjs --svg      only the SVG files
//   node scripts/make-pictures.mjs games/wow  only pictures with this in their path
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
  if (/NaN|undefined|Infinity|<text|<script|<image|href="(?!#)/.test(svg)) failures.push(`${path}: contains markup that a picture must not contain (text, script, image or an external reference), or an invalid number`)
  write(path, svg)
}
console.log(`SVG: ${Math.round(total / 1024)} kB`)

if (!process.argv.includes('--svg')) {
  const browser = await openBrowser()
  if (!browser) console.log('PNG and JPEG: not rendered: playwright-core, Chromium or pngquant was not found')
  for (const { path, width, height, draw, type } of browser ? rasters : []) {
    if (isWanted(path)) write(path, await browser.render(draw(), width, height, type))
  }
  await browser?.close()
}

if (failures.length) {
  console.error(failures.join('\n'))
  process.exitCode = 1
}
