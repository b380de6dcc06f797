// Renders SVG to PNG or JPEG with Chromium, playwright-core and pngquant, if all are installed. The package is
// searched in the folder that PLAYWRIGHT_FROM names, in the repository's root, in frontend/ and in tests/browser/.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

function findPlaywright() {
  const root = new URL('../../', import.meta.url).pathname
  for (const from of [process.env.PLAYWRIGHT_FROM, root, join(root, 'frontend'), join(root, 'tests', 'browser')]) {
    if (!from) continue
    try {
      return createRequire(join(from, 'package.json'))('playwright-core')
    } catch {
      // The package is not installed there.
    }
  }
  return null
}

/** A browser with `render(svg, width, height, type)` that returns PNG or JPEG bytes; null if a program is missing. */
export async function openBrowser() {
  const playwright = findPlaywright()
  if (!playwright || !existsSync(CHROMIUM) || !hasPngquant()) return null
  const browser = await playwright.chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  return {
    async render(svg, width, height, type = 'png') {
      const page = await browser.newPage({ viewport: { width, height } })
      await page.setContent(`<!doctype html><style>*{margin:0}svg{display:block;width:${width}px;height:${height}px}</style>${svg}`)
      const bytes = await page.screenshot(type === 'png' ? { omitBackground: true } : { type, quality: 86 })
      const picture = type === 'png' ? indexed(bytes) : bytes
      await page.close()
      return picture
    },
    close: () => browser.close(),
  }
}

/** Reduces a PNG to 256 colours. Chromium keeps every shade of dithered gradients, for five times the bytes and no visible gain. */
const indexed = (png) => execFileSync('pngquant', ['--speed', '1', '--nofs', '--strip', '256', '-'], { input: png })

function hasPngquant() {
  return spawnSync('pngquant', ['--version']).status === 0
}
