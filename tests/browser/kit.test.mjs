// Every part of the kit: each section of its page in both themes and four widths, what opens and closes again, and that
// visitors get none of it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { launch, Visit } from '../support/browser.mjs'
import { scratchFolder, startServer } from '../support/server.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WIDTHS = [360, 390, 768, 1440]
/** axe looks at a phone's and a desktop's width; what lies between has the same parts. */
const LOOKED_AT = [390, 1440]
const SECTIONS = readdirSync(join(ROOT, 'frontend/src/features/kit/sections'))
  .filter((file) => file.endsWith('.tsx'))
  .map((file) => file.slice(0, -'.tsx'.length))

let folder
let server
let browser
before(async () => {
  folder = scratchFolder()
  const built = spawnSync('npx', ['vite', 'build', '--mode', 'kit', '--outDir', folder.path, '--emptyOutDir'], {
    cwd: join(ROOT, 'frontend'),
    encoding: 'utf8',
  })
  assert.equal(built.status, 0, built.stderr)
  cpSync(join(ROOT, 'storage/pictures'), join(folder.path, 'pictures'), { recursive: true })
  ;[server, browser] = await Promise.all([startServer({ args: ['--pages-dir', folder.path] }), launch()])
})
after(async () => {
  await Promise.all([browser?.close(), server?.stop()])
  folder?.remove()
})

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)

/** Opens a section of the kit, a page that only the app knows: the server answers 404. */
async function open(visit, section) {
  visit.expectRefusal(404, `/dev/kit/${section}`)
  await visit.page.goto(`/dev/kit/${section}`)
  await visit.page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
}

for (const theme of ['dark', 'light'])
  test(`sections fit and are accessible in ${theme} theme`, () =>
    visiting({ theme }, async (visit, page) => {
      for (const section of SECTIONS) {
        await open(visit, section)
        for (const width of WIDTHS) {
          const look = `kit-${section}-${width}-${theme}`
          await page.setViewportSize({ width, height: 900 })
          await visit.assertFits(look)
          await visit.keepPicture(look, { whole: true })
          if (LOOKED_AT.includes(width)) await visit.assertAccessible(look)
        }
      }
    }))

describe('what floats', () => {
  test('dialogs set and restore the focus', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'dialogs')
      // The focus follows a moment after what it goes to is shown.
      const hasFocus = (element) => element.and(page.locator(':focus')).waitFor()
      await page.getByRole('button', { name: 'Open a dialog' }).click()
      await page.getByRole('dialog', { name: 'Edit' }).waitFor()
      await hasFocus(page.getByLabel('Name'))
      await visit.assertAccessible('a dialog')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await hasFocus(page.getByRole('button', { name: 'Open a dialog' }))

      await page.getByRole('button', { name: 'Delete' }).click()
      const question = page.getByRole('alertdialog', { name: 'Delete this review?' })
      await question.waitFor()
      await hasFocus(question.getByRole('button', { name: 'Annuler' }))
      await visit.assertAccessible('a question')
      await question.getByRole('button', { name: 'Delete the review' }).click()
      await question.waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Fail' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Try' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Annuler' }).click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    }))

  test('menus have arrow keys, popovers close by button', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'menus')
      await page.getByRole('button', { name: 'More about Loupgarde' }).press('Enter')
      const reached = (name) => page.getByRole('menuitem', { name }).and(page.locator('[data-highlighted]'))
      await reached('Show').waitFor()
      await visit.assertAccessible('an open menu')
      await reached('Show').press('ArrowUp')
      await reached('Delete').press('Enter')
      await page.getByRole('region', { name: '(F8)' }).getByText('Deleted').waitFor()

      const filters = page.getByRole('button', { name: 'Filters' })
      await filters.click()
      await page.getByRole('dialog', { name: 'Filters' }).waitFor()
      await visit.assertAccessible('a popover')
      await filters.click()
      await page.getByRole('dialog', { name: 'Filters' }).waitFor({ state: 'detached' })
    }))

  test('a select is accessible while it is open', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'choices')
      await page.getByRole('combobox', { name: 'Game' }).first().click()
      await page.getByRole('option', { name: 'Minecraft' }).waitFor()
      await visit.assertAccessible('an open select')
    }))

  test('combobox is accessible in each of its states', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'choices')
      const field = (name) => page.getByRole('combobox', { name })
      await field('Find a game').click()
      await page.getByRole('option', { name: 'Minecraft' }).waitFor()
      await visit.assertAccessible('an open combobox')
      await field('Find a game').fill('zzz')
      await page.getByRole('status').filter({ hasText: 'Aucun' }).waitFor()
      await visit.assertAccessible('a combobox that finds nothing')
      await page.keyboard.press('Tab')
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      for (const name of ['Loading', 'Failed']) {
        await field(name).click()
        await page.getByRole('listbox', { includeHidden: true }).waitFor({ state: 'attached' })
        await visit.assertAccessible(`a combobox: ${name}`)
      }
    }))

  test('cropped image is centered in its frame', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'image')
      const file = join(ROOT, 'storage/pictures/brand/icon-512.png')
      await page.locator('input[type=file]').first().setInputFiles(file)
      const middle = async (part) => {
        const { x, width } = await page.getByRole('dialog').getByTestId(part).boundingBox()
        return Math.round(x + width / 2)
      }
      await page.getByRole('dialog').getByTestId('cropper').waitFor()
      assert.equal(await middle('cropper'), await middle('container'))
      const { x, width } = await page.getByRole('dialog').locator('img').boundingBox()
      assert.ok(Math.abs(x + width / 2 - (await middle('cropper'))) <= 1)
    }))

  test('chart days are read with the arrow keys', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'charts')
      const reader = page.getByRole('slider', { name: 'Votes and clicks by day' })
      await reader.focus()
      await page.keyboard.press('ArrowLeft')
      assert.match((await reader.getAttribute('aria-valuetext')) ?? '', /^21 novembre 2026, Votes \d+, Clicks \d+$/)
      await page.getByText('21 novembre 2026', { exact: true }).and(page.locator('p')).waitFor()
      await visit.assertAccessible('a chart being read')
    }))

  test('tooltips show on focus and close with Escape', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'menus')
      await page.getByRole('button', { name: 'Filters' }).focus()
      await page.keyboard.press('Tab')
      const hint = page.getByText('Add to favourites', { exact: true })
      await hint.waitFor()
      await page.keyboard.press('Escape')
      await hint.waitFor({ state: 'detached' })
    }))

  test('toasts support undo, F8 focus and swiping', () =>
    visiting({}, async (visit, page) => {
      await open(visit, 'feedback')
      const messages = page.getByRole('region', { name: '(F8)' })
      await page.getByRole('button', { name: 'With a way back' }).click()
      await messages.getByRole('button', { name: 'Undo' }).click()
      await messages.getByText('It is back').waitFor()
      await visit.assertAccessible('a message')
      await page.keyboard.press('F8')
      await messages.and(page.locator(':focus')).waitFor()

      const message = messages.getByRole('group', { name: 'It is back' })
      const { x, y } = await message.boundingBox()
      const swipe = async (by) => {
        await page.mouse.move(x + 60, y + 8)
        await page.mouse.down()
        await page.mouse.move(x + 60 + by, y + 8, { steps: 3 })
        await page.mouse.up()
      }
      await swipe(45)
      assert.equal(await message.count(), 1)
      await swipe(60)
      await message.waitFor({ state: 'detached' })
    }))
})

test('visitors get none of it', () => {
  const assets = join(ROOT, 'frontend/dist/assets')
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'))
  assert.ok(scripts.length > 0)
  for (const file of scripts) assert.ok(!readFileSync(join(assets, file), 'utf8').includes('dev/kit'), file)
})
