// Turns SVG into PNG or JPEG with Chromium through playwright-core, where both are present.
// Looks for the package next to the script, in frontend/ and in the folder PLAYWRIGHT_FROM names.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { indexedPng } from './png.mjs'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

function findPlaywright() {
  const root = new URL('../../', import.meta.url).pathname
  for (const from of [process.env.PLAYWRIGHT_FROM, root, join(root, 'frontend'), join(root, 'tests', 'browser')]) {
    if (!from) continue
    try {
      return createRequire(join(from, 'package.json'))('playwright-core')
    } catch {
      // Not installed there: try the next place.
    }
  }
  return null
}

/** A browser with `render(svg, width, height, type)` giving PNG or JPEG bytes, or null when there is none. */
export async function openBrowser() {
  const playwright = findPlaywright()
  if (!playwright || !existsSync(CHROMIUM)) return null
  const browser = await playwright.chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  return {
    async render(svg, width, height, type = 'png') {
      const page = await browser.newPage({ viewport: { width, height } })
      await page.setContent(`<!doctype html><style>*{margin:0}svg{display:block;width:${width}px;height:${height}px}</style>${svg}`)
      const bytes = await page.screenshot(type === 'png' ? { omitBackground: true } : { type, quality: 86 })
      const picture = type === 'png' ? indexedPng(await pixelsOf(page, bytes), width, height) : bytes
      await page.close()
      return picture
    },
    close: () => browser.close(),
  }
}

/** What a PNG decodes to, four bytes a pixel. */
async function pixelsOf(page, png) {
  const encoded = await page.evaluate(async (source) => {
    const image = new Image()
    image.src = `data:image/png;base64,${source}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height)
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    const { data } = context.getImageData(0, 0, image.width, image.height)
    let text = ''
    for (let at = 0; at < data.length; at += 32_768) text += String.fromCharCode(...data.subarray(at, at + 32_768))
    return btoa(text)
  }, png.toString('base64'))
  return Buffer.from(encoded, 'base64')
}
