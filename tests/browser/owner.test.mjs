// A server from its first day to its last, as its owner lives it: added with a picture, edited tab by tab, renamed,
// edited in two tabs at once, hidden, shown, and taken away. Each language at one of the widths.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { after, before, describe, test } from 'node:test'

import { DESKTOP, PHONE, Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'
import { expectToast } from '../support/toasts.mjs'

const LANGUAGES = {
  fr: { locale: 'fr-FR', viewport: PHONE, word: 'serveur' },
  en: { locale: 'en-GB', viewport: DESKTOP, word: 'server' },
  es: { locale: 'es-ES', viewport: PHONE, word: 'servidor' },
}
const LOGO = fileURLToPath(new URL('../../storage/pictures/brand/icon-512.png', import.meta.url))
const VIDEO = 'https://youtu.be/dQw4w9WgXcQ'
const PASSWORD = 'a secret of an owner'
const UPLOAD = /\/storage\/v1\/object\/upload\/sign\//

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([
    // Several people begin at one address within minutes.
    startServer({ args: ['--demo'], env: { COMPAT_RATE_LIMITS: 'false' } }),
    launch(),
  ])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const mailTo = (email) =>
  eventually(async () => (await (await fetch(`${server.url}/mailbox`)).json()).find((mail) => mail.to === email))

/** The only server of an owner, as it is stored. */
const rowOf = async (email) =>
  (await asOwner(server, `select s.* from public.servers s join auth.users u on u.id = s.owner_id where u.email = '${email}'`))[0]

/** An owner at the site, in a language. */
class Owner {
  constructor(visit, language, email) {
    Object.assign(this, { visit, language, email, page: visit.page, t: textsOf(language) })
    this.prefix = language === 'fr' ? '' : `/${language}`
    this.main = this.page.getByRole('main')
  }

  button(name, within = this.main) {
    return within.getByRole('button', { name, exact: true })
  }

  field(key) {
    return this.main.getByLabel(this.t(`own-server:field.${key}`), { exact: false }).first()
  }

  group(key) {
    return this.main.getByRole('group', { name: this.t(`own-server:field.${key}`) })
  }

  async signUp() {
    const { page, t } = this
    await this.button(t('access:signIn.join')).click()
    const dialog = page.getByRole('dialog', { name: t('auth:signUp.title'), exact: true })
    await dialog.getByLabel(t('auth:field.username')).fill(`Orla ${this.language}`)
    await dialog.getByLabel(t('auth:field.email')).fill(this.email)
    await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill(PASSWORD)
    await this.button(t('auth:signUp.submit'), dialog).click()
    await page.getByRole('dialog', { name: t('auth:confirm.title'), exact: true }).waitFor()
    await page.goto((await mailTo(this.email)).text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)[0])
    await expectToast(this.page, t('auth:toast.signedIn'))
  }

  async signIn() {
    const { page, t } = this
    await this.button(t('access:signIn.enter')).click()
    const dialog = page.getByRole('dialog', { name: t('auth:signIn.title'), exact: true })
    await dialog.getByLabel(t('auth:field.email')).fill(this.email)
    await dialog.getByLabel(t('auth:field.password'), { exact: true }).fill(PASSWORD)
    await this.button(t('auth:signIn.submit'), dialog).click()
    await expectToast(this.page, t('auth:toast.signedIn'))
  }

  /** Chooses a picture for a field; gives the window that cuts it. */
  async pick(key, file) {
    await this.group(key).locator('input[type=file]').setInputFiles(file)
    return this.page.getByRole('dialog', { name: this.t('form:image.crop'), exact: true })
  }

  async useCut(dialog) {
    await this.button(this.t('form:image.use'), dialog).click()
    await dialog.waitFor({ state: 'detached' })
  }

  async openTab(key) {
    await this.main.getByRole('link', { name: this.t(`own-server:tab.${key}`), exact: true }).click()
    await this.page.waitForURL(key === 'basic' ? /edit-server\/[^/]+$/ : new RegExp(`/${key}$`))
  }

  async save() {
    await this.button(this.t('form:save.submit')).click()
    await expectToast(this.page, this.t('own-server:edit.saved'))
  }

  /** Writes the description where the editor has come. */
  async describe(text) {
    const editor = this.main.getByRole('textbox', { name: this.t('own-server:field.description') })
    await editor.click()
    await this.page.keyboard.press('ControlOrMeta+A')
    await this.page.keyboard.type(text)
  }

  /** Makes an event that runs now, renames it, and takes it away again. */
  async announce(title, renamed) {
    const { page, main, t } = this
    const button = (key, event, within) => this.button(t(`server-events:${key}`, { event }), within)
    await button('add').click()
    const dialog = page.getByRole('dialog', { name: t('server-events:form.new'), exact: true })
    const [type] = await asOwner(server, `select name_${this.language} as name from public.event_types where is_active order by key limit 1`)
    await dialog.getByLabel(t('server-events:form.type'), { exact: true }).selectOption({ label: type.name })
    await dialog.getByRole('textbox', { name: t('server-events:form.title') }).fill(title)
    const inHours = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
    await dialog.getByLabel(t('server-events:form.start'), { exact: true }).fill(inHours(-30))
    await dialog.getByLabel(t('server-events:form.end'), { exact: true }).fill(inHours(30))
    await this.look('event-dialog')
    await button('form.create', undefined, dialog).click()
    await expectToast(this.page, t('server-events:created'))
    const live = main.getByRole('region', { name: t('server-events:state.live'), exact: true })
    await live.getByText(title, { exact: true }).waitFor()
    await this.look('edit-events')
    await button('editNamed', title).click()
    const change = page.getByRole('dialog', { name: t('server-events:form.change'), exact: true })
    await change.getByRole('textbox', { name: t('server-events:form.title') }).fill(renamed)
    await button('form.save', undefined, change).click()
    await expectToast(this.page, t('server-events:changed'))
    await live.getByText(renamed, { exact: true }).waitFor()
    await button('deleteNamed', renamed).click()
    await button('delete', undefined, page.getByRole('alertdialog')).click()
    await expectToast(this.page, t('server-events:deleted'))
    await main.getByText(t('server-events:empty.title')).waitFor()
  }

  look(name) {
    return this.language === 'fr' ? this.visit.lookAround(`owner-${name}`) : this.visit.assertAccessible(name, { colours: false })
  }
}

const living = (language, email, live) =>
  Visit.during(browser, { url: server.url, ...LANGUAGES[language] }, (visit) => live(new Owner(visit, language, email)))

for (const language of Object.keys(LANGUAGES))
  describe(`a server in ${language}`, () => {
    const email = `orla-${language}@example.org`
    const name = `L'Île <i>d'or</i> ${language}`

    test('is added from a restored draft with image', () =>
      living(language, email, async (owner) => {
        const { visit, page, main, t } = owner
        await page.goto(`${owner.prefix}/add-server`)
        await owner.signUp()
        await page.goto(`${owner.prefix}/add-server`)
        await main.getByText(t('own-server:slots.available_other', { number: 3 })).waitFor()
        await owner.look('add')

        await owner.button(t('own-server:add.submit')).click()
        await owner.field('name').fill('ab')
        await owner.button(t('own-server:add.submit')).click()
        await main.getByText(t('own-server:rule.name')).first().waitFor()
        await owner.field('name').fill(name)
        await main.getByRole('combobox', { name: t('own-server:field.game'), exact: true }).fill('rus')
        await page.getByRole('option', { name: /^Rust/ }).click()
        await owner.field('address').fill('256.1.1.1')
        await owner.button(t('own-server:add.submit')).click()
        await main.getByText(t('own-server:rule.address')).first().waitFor()
        await owner.field('address').fill(`${language}.example.net:28015`)

        // A file that is no picture, is too large or incomplete is refused at the field, and the form keeps its values.
        await owner.pick('logo', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
        await owner.group('logo').getByText(t('form:image.problem.type')).waitFor()
        await owner.pick('logo', { name: 'a.png', mimeType: 'image/png', buffer: Buffer.alloc(5_242_881) })
        await owner.group('logo').getByText(t('form:image.problem.size')).waitFor()
        await owner.pick('logo', { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('none') })
        await owner.group('logo').getByText(t('form:image.problem.broken')).waitFor()
        await page.route(UPLOAD, (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 500 }) : route.fallback()))
        visit.expectRefusal(500, UPLOAD)
        const dialog = await owner.pick('logo', LOGO)
        await dialog.getByRole('slider').fill('1.5')
        await visit.assertAccessible('cutting', { colours: language === 'fr' })
        await visit.keepPicture(`owner-crop-${language}`)
        await owner.useCut(dialog)
        await owner.group('logo').getByText(t('form:image.failed')).waitFor()
        await page.unroute(UPLOAD)
        await owner.button(t('form:image.again'), owner.group('logo')).click()
        await owner.group('logo').getByRole('img', { name: t('form:image.current') }).waitFor()

        await owner.describe('Une ville qui vit.')
        const [{ tag }] = await asOwner(server, `select name_${language} as tag from public.server_tags where name = 'PvP'`)
        await main.locator('label').filter({ hasText: new RegExp(`^${tag}$`) }).click()
        // The card is the ranking's own, with all of it.
        const preview = main.getByRole('region', { name: t('own-server:preview.title') })
        await preview.getByText(name, { exact: true }).waitFor()
        await preview.getByText('Une ville qui vit.').waitFor()
        await owner.look('add-filled')

        // The tab is closed, and the session ends before it is opened again.
        await page.goto('about:blank')
        await page.goto('/robots.txt')
        await page.evaluate(() => localStorage.removeItem('palmares-session'))
        await page.goto(`${owner.prefix}/add-server`)
        await owner.signIn()
        await main.getByText(t('form:draft.restored')).waitFor()
        assert.equal(await owner.field('name').inputValue(), name)
        await owner.button(t('own-server:add.submit')).click()
        await page.getByRole('heading', { level: 1, name: t('own-server:added.title') }).waitFor()
        await main.getByText(t('own-server:added.visible')).waitFor()
        await owner.look('added')

        const row = await rowOf(email)
        assert.match(row.logo_image_url, new RegExp(`^/storage/v1/object/public/server-images/${row.owner_id}/logo-.*\\.webp$`))
        const picture = await fetch(server.url + row.logo_image_url)
        assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp'])
        assert.deepEqual(row.tags, ['PvP'])
        const events = await asOwner(server, `select event_type from public.security_events where user_id = '${row.owner_id}' and origin = 'page'`)
        assert.deepEqual(events, [{ event_type: 'server_created' }])

        await main.getByRole('link', { name: t('own-server:added.see') }).click()
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
      }))

    test('is edited, renamed with redirect, and deleted', () =>
      living(language, email, async (owner) => {
        const { visit, page, main, t } = owner
        const { id, slug } = await rowOf(email)
        await page.goto(`${owner.prefix}/edit-server/${id}`)
        await owner.signIn()
        await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

        await owner.field('name').fill(`Renommé ${language}`)
        await owner.field('version').fill('1.21')
        await owner.look('edit')
        await owner.save()
        await page.getByRole('heading', { level: 1, name: `Renommé ${language}`, exact: true }).waitFor()
        const renamed = `/${LANGUAGES[language].word}/renomme-${language}`
        const answer = await fetch(`${server.url}${owner.prefix}/${LANGUAGES[language].word}/${slug}?vote=1`, { redirect: 'manual' })
        assert.deepEqual(
          [answer.status, answer.headers.get('location'), answer.headers.get('cache-control')],
          [308, `${owner.prefix}${renamed}?vote=1`, 'no-cache'],
        )

        await owner.openTab('media')
        await main.getByText(t('own-server:field.bannerLocked').replaceAll(/<.?part>/g, '')).waitFor()
        await owner.field('video').fill('https://vimeo.com/1')
        await owner.button(t('form:save.submit')).click()
        await main.getByText(t('own-server:rule.video')).first().waitFor()
        await owner.field('video').fill(VIDEO)
        await owner.button(t('form:image.remove'), owner.group('logo')).click()
        await owner.look('edit-media')
        const before = (await rowOf(email)).logo_image_url
        await owner.save()
        await eventually(async () => (await fetch(server.url + before)).status !== 200)

        // The dialog lies beside the form, which keeps what is in it.
        await owner.field('video').fill('https://youtu.be/oHg5SJYRHA0')
        await owner.button(t('own-server:field.proposeTag')).click()
        const proposal = page.getByRole('dialog', { name: t('tag-proposal:title'), exact: true })
        await proposal.waitFor()
        await page.keyboard.press('Escape')
        await proposal.waitFor({ state: 'detached' })
        assert.equal(await owner.field('video').inputValue(), 'https://youtu.be/oHg5SJYRHA0')
        await owner.save()

        await owner.openTab('events')
        await owner.announce('Coupe', 'Coupe des îles')
        await owner.openTab('integrations')
        await visit.assertAccessible('integrations', { colours: language === 'fr' })
        await owner.openTab('prestige')
        await main.getByText(t('own-server:prestige.none')).waitFor()
        await asOwner(server, `update public.servers set is_sponsored = true, prestige_expires_at = now() + interval '9 days' where id = '${id}'`)
        await page.reload()
        await main.locator('label').filter({ hasText: t('form:colour.names.amber') }).click()
        await owner.look('edit-prestige')
        await owner.save()
        assert.equal((await rowOf(email)).custom_color, '#F59E0B')

        // Two tabs at once: the second one is warned, and overwrites nothing silently.
        await owner.openTab('basic')
        const other = await visit.context.newPage()
        await other.goto(page.url())
        const otherOwner = new Owner({ ...visit, page: other }, language, email)
        await otherOwner.field('name').fill(`Premier ${language}`)
        await otherOwner.save()
        await other.close()
        await owner.field('name').fill(`Second ${language}`)
        await owner.button(t('form:save.submit')).click()
        await main.getByText(t('own-server:conflict.title')).waitFor()
        await main.locator('dd', { hasText: `Premier ${language}` }).waitFor()
        await owner.look('conflict')
        assert.equal((await rowOf(email)).name, `Premier ${language}`)
        await owner.button(t('own-server:conflict.theirs')).click()
        assert.equal(await owner.field('name').inputValue(), `Premier ${language}`)

        await owner.button(t('visibility:hide')).click()
        await expectToast(owner.page, t('visibility:nowHidden'))
        assert.equal((await fetch(server.url + owner.prefix + renamed)).status, 404)
        await owner.button(t('visibility:show')).click()
        await expectToast(owner.page, t('visibility:shown'))

        await page.goto(owner.prefix + renamed)
        await page.waitForURL(new RegExp(`/premier-${language}$`))
        await page.getByRole('button', { name: t('server-page:video.watch') }).waitFor()

        await page.goto(`${owner.prefix}/edit-server/${id}/delete`)
        const typed = main.getByLabel(t('own-server:delete.label', { name: `Premier ${language}` }))
        await typed.fill('something')
        await owner.button(t('own-server:delete.submit')).click()
        await main.getByText(t('own-server:delete.mismatch')).waitFor()
        await owner.look('edit-delete')
        await typed.fill(`premier ${language}`)
        await owner.button(t('own-server:delete.submit')).click()
        await expectToast(owner.page, t('own-server:delete.done'))
        await page.waitForURL(/\/profile$/)
        assert.equal(await rowOf(email), undefined)
      }))
  })

describe('the keyboard alone', () => {
  test('adds a server, its picture included', () =>
    living('en', 'owner@palmares.test', async (owner) => {
      const { page, main, t } = owner
      await asOwner(server, `update public.site_settings set setting_value = '50' where setting_key = 'base_server_limit'`)
      const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: server.keys.ANON_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ email: owner.email, password: 'palmares-demo' }),
      })
      await page.goto('/robots.txt')
      await page.evaluate((session) => localStorage.setItem('palmares-session', session), await answer.text())
      await page.goto('/en/add-server')
      await owner.field('name').waitFor()
      const reach = async (target) => {
        for (let step = 0; step < 120; step++) {
          if (await target.evaluate((element) => element === document.activeElement)) return
          await page.keyboard.press('Tab')
        }
        assert.fail(`the keyboard does not reach ${target}`)
      }
      await reach(owner.field('name'))
      await page.keyboard.type('By keyboard')
      const game = main.getByRole('combobox', { name: t('own-server:field.game'), exact: true })
      await reach(game)
      await page.keyboard.type('rus')
      await page.getByRole('option', { name: /^Rust/ }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      assert.equal(await game.inputValue(), 'Rust')
      await reach(main.getByRole('textbox', { name: t('own-server:field.description') }))
      await page.keyboard.type('Typed.')
      const pick = owner.button(t('form:image.pick'), owner.group('logo'))
      await reach(pick)
      // The system's own window for files is not the page's.
      const dialog = await owner.pick('logo', LOGO)
      await dialog.waitFor()
      await reach(owner.button(t('form:image.use'), dialog))
      await page.keyboard.press('Enter')
      await owner.group('logo').getByRole('img', { name: t('form:image.current') }).waitFor()
      await reach(owner.button(t('own-server:add.submit')))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: t('own-server:added.title') }).waitFor()
    }))
})
