// Pictures of the console, from a shop with something on every screen.
//
//   node scripts/picture-console.mjs               those of the documents, into docs/pictures
//   node scripts/picture-console.mjs FOLDER [SCREEN…]  every screen in both themes and widths and every language, for review
//
// The second form also prints elements that are wider than the window, and texts that are cut off.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { findMisfits, launch } from '../tests/support/browser.mjs'
import { openAsOwner, SCREENS, serveShop, showScreen } from '../tests/support/console-screens.mjs'

const DOCS = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const PHONE = 390
const DESKTOP = 1440

/** The pictures of the documents: file, screen, width and theme. */
const DOCS_PICTURES = [
  ['overview', 'overview', DESKTOP, 'dark'],
  ['table', 'rows', DESKTOP, 'light'],
  ['schema', 'picture', DESKTOP, 'dark'],
  ['sql', 'sql', DESKTOP, 'dark'],
  ['user', 'user', DESKTOP, 'light'],
  ['files', 'files', DESKTOP, 'light'],
  ['request', 'request', DESKTOP, 'dark'],
  ['cron', 'cron', DESKTOP, 'light'],
  ['backups', 'backups', DESKTOP, 'dark'],
  ['settings', 'settings', DESKTOP, 'light'],
  ['overview-phone', 'overview', PHONE, 'light'],
  ['table-phone', 'rows', PHONE, 'dark'],
  ['logs-phone', 'logs', PHONE, 'light'],
  ['realtime-phone', 'realtime', PHONE, 'dark'],
]

const VARIANTS = [
  ['en-GB', DESKTOP, 'light'],
  ['en-GB', DESKTOP, 'dark'],
  ['en-GB', PHONE, 'light'],
  ['en-GB', PHONE, 'dark'],
  ['fr-FR', PHONE, 'light'],
  ['es-ES', PHONE, 'light'],
]

/** Converts PNG to WebP in the browser, so that no other program has to be installed. */
async function toWebp(page, png) {
  const encoded = await page.evaluate(async (data) => {
    const image = new Image()
    image.src = `data:image/png;base64,${data}`
    await image.decode()
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
    canvas.getContext('2d').drawImage(image, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.86 })
    return new Promise((resolve) => {
      const reader = new FileReader()
      reader.onload = () => resolve(reader.result.split(',')[1])
      reader.readAsDataURL(blob)
    })
  }, png.toString('base64'))
  return Buffer.from(encoded, 'base64')
}

async function pictureDocs(browser, shop) {
  const encoder = await browser.newPage()
  for (const [name, screen, width, theme] of DOCS_PICTURES) {
    const page = await openAsOwner(browser, shop, { width, theme })
    await showScreen(page, shop, screen)
    const picture = await toWebp(encoder, await page.screenshot({ animations: 'disabled' }))
    const file = `console-${name}.webp`
    writeFileSync(join(DOCS, file), picture)
    console.log(`${file}: ${picture.length} B`)
    await page.context().close()
  }
}

async function pictureAll(browser, shop, folder, names) {
  mkdirSync(folder, { recursive: true })
  for (const [locale, width, theme] of VARIANTS) {
    const page = await openAsOwner(browser, shop, { locale, width, theme })
    for (const name of names) {
      const variant = `${name}-${locale.slice(0, 2)}-${width}-${theme}`
      await showScreen(page, shop, name).catch((error) => console.log(`${variant}: ${error.message.split('\n')[0]}`))
      const misfits = await findMisfits(page)
      if (misfits.length > 0) console.log(`${variant}: ${JSON.stringify(misfits)}`)
      await page.screenshot({ path: join(folder, `${variant}.png`), animations: 'disabled' })
    }
    await page.context().close()
  }
}

const [folder, ...names] = process.argv.slice(2)
const browser = await launch()
try {
  const shop = await serveShop()
  try {
    if (folder === undefined) await pictureDocs(browser, shop)
    else await pictureAll(browser, shop, folder, names.length > 0 ? names : Object.keys(SCREENS))
  } finally {
    await shop.project.end()
  }
} finally {
  await browser.close()
}
