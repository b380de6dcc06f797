// An account from its first day to its last, as people live it in each language: signing up, forgetting the password,
// protecting the account, joining another one to it, and deleting it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { asOwner } from '../support/database.mjs'
import { startOidcProvider } from '../support/oidc.mjs'
import { eventually, startServer } from '../support/server.mjs'
import { textsOf } from '../support/texts.mjs'
import { expectToast } from '../support/toasts.mjs'
import { totp } from '../support/totp.mjs'

const LANGUAGES = {
  fr: { home: '/', locale: 'fr-FR', subject: 'Confirmez votre adresse e-mail · Palmarès' },
  en: { home: '/en', locale: 'en-GB', subject: 'Confirm your email address · Palmarès' },
  es: {
    home: '/es',
    locale: 'es-ES',
    subject: 'Confirma tu correo electrónico · Palmarès',
  },
}
const TOKEN = '/auth/v1/token'
const DEMO_PASSWORD = 'palmares-demo'

let server
let browser
let provider

before(async () => {
  provider = await startOidcProvider()
  ;[server, browser] = await Promise.all([
    startServer({
      args: ['--demo'],
      env: {
        CAPTCHA_COST: '50',
        // Three people live whole lives from one address within minutes.
        COMPAT_RATE_LIMITS: 'false',
        GOTRUE_SECURITY_MANUAL_LINKING_ENABLED: 'true',
        GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
        // A number whose code is known; nothing is sent.
        GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
        GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
        GOTRUE_MFA_PHONE_MAX_FREQUENCY: '0s',
        GOTRUE_SMS_PROVIDER: 'twilio',
        GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC0',
        GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'nothing',
        GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG0',
        GOTRUE_SMS_TEST_OTP: '15550100:123456',
        GOTRUE_PASSKEY_ENABLED: 'true',
        GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED: 'true',
        GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED: 'true',
        GOTRUE_EXTERNAL_KEYCLOAK_ENABLED: 'true',
        GOTRUE_EXTERNAL_KEYCLOAK_CLIENT_ID: provider.clientId,
        GOTRUE_EXTERNAL_KEYCLOAK_SECRET: provider.clientSecret,
        GOTRUE_EXTERNAL_KEYCLOAK_URL: provider.issuer,
      },
    }),
    launch(),
  ])
})
after(() => Promise.all([browser?.close(), server?.stop(), provider?.stop()]))

const mailbox = async () => (await fetch(`${server.url}/mailbox`)).json()

/** The newest mail to an address that matches `fits`. */
const mailTo = (email, fits = () => true) =>
  eventually(async () => (await mailbox()).filter((mail) => mail.to === email && fits(mail)).at(0))

const linkIn = (mail) => mail.text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)[0]

/** A person at the site, in a language, with a browser of their own. */
class Person {
  constructor(visit, language) {
    this.visit = visit
    this.page = visit.page
    this.language = language
    this.t = textsOf(language)
    this.prefix = language === 'fr' ? '' : `/${language}`
  }

  button(name, within = this.page) {
    return within.getByRole('button', { name, exact: true })
  }

  dialog(name) {
    return this.page.getByRole('dialog', { name, exact: true })
  }

  /** The confirmation dialog before an action that cannot be undone. */
  question(name) {
    return this.page.getByRole('alertdialog', { name, exact: true })
  }

  /** Looks at both widths, and in French in both themes as well; `colours` is for what no test in French looks at. */
  async lookAround(name, { colours = false } = {}) {
    const { visit, page, language } = this
    const before = page.viewportSize()
    await (language === 'fr'
      ? visit.lookAround(`account-${name}`)
      : visit.glance(`account-${name}-${language}`, { colours }))
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize(before)
  }

  async openProfile(tab) {
    await this.page.goto(`${this.prefix}/profile${tab ? `?tab=${tab}` : ''}`)
  }

  panel(title) {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  async typePassword(form, password, label = 'auth:field.password') {
    await form.getByLabel(this.t(label), { exact: true }).fill(password)
  }

  /** Fills the form of the sign-in dialog, wherever one is. */
  async signIn(email, password) {
    const { t } = this
    await this.openProfile()
    await this.button(t('access:signIn.enter'), this.page.getByRole('main')).click()
    const dialog = this.dialog(t('auth:signIn.title'))
    await dialog.getByLabel(t('auth:field.email')).fill(email)
    await this.typePassword(dialog, password)
    await this.button(t('auth:signIn.submit'), dialog).click()
  }

  async signOut() {
    await this.page.getByRole('button', { name: this.t('shell:account.open') }).click()
    await this.button(this.t('shell:account.signOut')).click()
    await expectToast(this.page, this.t('auth:toast.signedOut'))
  }

  /** Adds an authenticator app from the security tab; gives its secret. */
  async addApp() {
    const { t } = this
    await this.button(t('account:factors.addApp')).click()
    const dialog = this.dialog(t('account:totp.title'))
    await dialog.getByText(t('account:totp.manual')).click()
    const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
    await dialog.getByRole('textbox').fill(totp(secret))
    await this.button(t('account:totp.submit'), dialog).click()
    await expectToast(this.page, t('account:factors.added'))
    return secret
  }

  /** Expects the refusal of a code that is wrong, whatever the factor's id. */
  async refuseCode(dialog, submit) {
    const { visit, page, t } = this
    await dialog.getByRole('textbox').fill('000000')
    const answer = page.waitForResponse((response) =>
      /\/factors\/[^/]+\/verify$/.test(new URL(response.url()).pathname),
    )
    visit.expectRefusal(422, /\/factors\/[^/]+\/verify$/)
    await this.button(submit, dialog).click()
    await answer
    await dialog.getByText(t('errors:wrongCode')).waitFor()
  }
}

const living = (language, options, live) =>
  Visit.during(browser, { url: server.url, locale: LANGUAGES[language].locale, ...options }, (visit) =>
    live(new Person(visit, language)),
  )

for (const language of Object.keys(LANGUAGES))
  describe(`an account in ${language}`, () => {
    const email = `vega-${language}@example.org`
    const username = `Vega ${language}`
    let password = 'a first secret'
    let secret

    test('begins with an e-mail that is answered', () =>
      living(language, {}, async (person) => {
        const { visit, page, t } = person
        await person.openProfile()
        await person.button(t('access:signIn.join'), page.getByRole('main')).waitFor()
        await person.lookAround('entry')
        await person.button(t('access:signIn.join'), page.getByRole('main')).click()
        const dialog = person.dialog(t('auth:signUp.title'))
        await person.button(t('auth:provider.continue', { provider: 'Keycloak' }), dialog).waitFor()
        await person.lookAround('sign-up')
        const name = dialog.getByLabel(t('auth:field.username'))
        await name.fill('FANNY')
        await dialog.getByLabel(t('auth:field.email')).fill(email)
        await person.typePassword(dialog, password)
        visit.expectRefusal(409, '/auth/v1/signup')
        await person.button(t('auth:signUp.submit'), dialog).click()
        await dialog.getByText(t('errors:usernameTaken')).waitFor()
        await name.and(page.locator(':focus')).waitFor()
        assert.deepEqual(await asOwner(server, `select id from auth.users where email = '${email}'`), [])
        await expectToast(person.page, t('auth:signUp.failed'))
        await name.fill(username)
        await person.button(t('auth:signUp.submit'), dialog).click()
        await person.dialog(t('auth:confirm.title')).waitFor()
        await expectToast(page, t('auth:signUp.done.title'))
        await person.lookAround('confirm')

        const mail = await mailTo(email)
        assert.equal(mail.subject, LANGUAGES[language].subject)
        await page.goto(linkIn(mail))
        await expectToast(person.page, t('auth:toast.signedIn'))
        assert.equal(new URL(page.url()).search, '')
        await person.openProfile()
        await page.getByRole('heading', { level: 1, name: username, exact: true }).waitFor()
        await page.getByRole('main').getByText(t('shell:role.player'), { exact: true }).waitFor()
        for (const [panel, empty] of [
          ['payments:prestige.title', 'payments:prestige.empty'],
          ['profile:reviews.title', 'profile:reviews.empty'],
        ])
          await person.panel(t(panel)).getByText(t(empty)).waitFor()
        await visit.assertAccessible('a fresh profile', { colours: language === 'fr' })
      }))

    test('resets a forgotten password by the mailed link', () =>
      living(language, {}, async (person) => {
        const { page, t } = person
        await person.openProfile()
        await person.button(t('access:signIn.enter'), page.getByRole('main')).click()
        await page.getByRole('tab', { name: t('auth:tabs.reset') }).click()
        const dialog = person.dialog(t('auth:reset.title'))
        // During the transition between tabs, the old panel is still in the page.
        const panel = dialog.getByRole('tabpanel', { name: t('auth:tabs.reset'), exact: true })
        await panel.getByLabel(t('auth:field.email')).fill(email)
        await person.button(t('auth:reset.submit'), panel).click()
        await expectToast(person.page, t('auth:reset.done.title'))
        await dialog.waitFor({ state: 'detached' })

        const link = linkIn(await mailTo(email, (mail) => mail.subject !== LANGUAGES[language].subject))
        await page.goto(link)
        await page
          .getByRole('heading', {
            level: 1,
            name: t('auth:newPassword.title'),
          })
          .waitFor()
        assert.equal(new URL(page.url()).pathname, `${person.prefix}/reset-password`)
        await person.lookAround('new-password')
        const main = page.getByRole('main').locator('form')
        await person.typePassword(main, 'a second secret', 'auth:field.newPassword')
        await person.typePassword(main, 'something else', 'auth:field.confirmation')
        await person.button(t('auth:newPassword.submit'), main).click()
        await main.getByText(t('form:problem.passwordsDiffer')).waitFor()
        password = 'a second secret'
        await person.typePassword(main, password, 'auth:field.confirmation')
        await person.button(t('auth:newPassword.submit'), main).click()
        await expectToast(person.page, t('auth:newPassword.done'))
        await page.getByRole('heading', { level: 1, name: username, exact: true }).waitFor()
        await person.signOut()

        // The link is valid only once.
        await page.goto(link)
        await page
          .getByRole('heading', {
            level: 1,
            name: t('auth:newPassword.expired'),
          })
          .waitFor()
        await person.lookAround('link-expired')
        await person.button(t('auth:newPassword.another')).click()
        await person.dialog(t('auth:reset.title')).waitFor()
      }))

    test('shows and changes what others see of it', () =>
      living(language, {}, async (person) => {
        const { visit, page, t } = person
        await person.signIn(email, password)
        await expectToast(person.page, t('auth:toast.signedIn'))
        const details = person.panel(t('profile:details.title'))
        const name = details.getByLabel(t('profile:details.username'))
        await person.panel(t('payments:prestige.title')).getByText(t('payments:prestige.empty')).waitFor()
        await person.panel(t('profile:reviews.title')).getByText(t('profile:reviews.empty')).waitFor()
        await person.lookAround('profile-empty')
        await person.button(t('profile:details.edit'), details).click()
        assert.equal(await details.getByLabel(t('profile:details.email')).getAttribute('readonly'), '')

        await name.fill('x')
        await person.button(t('profile:details.save'), details).click()
        await details.getByText(t('form:problem.tooShort_other', { bound: 2 })).waitFor()
        await name.fill('ADA')
        visit.expectRefusal(409, '/rest/v1/profiles')
        await person.button(t('profile:details.save'), details).click()
        await details.getByText(t('errors:usernameTaken')).waitFor()
        await expectToast(person.page, t('profile:details.failed'))
        await name.fill(`${username} II`)
        await person.button(t('profile:details.save'), details).click()
        await expectToast(person.page, t('profile:details.saved'))
        await page
          .getByRole('heading', {
            level: 1,
            name: `${username} II`,
            exact: true,
          })
          .waitFor()
        await page.getByRole('button', { name: t('shell:account.open') }).click()
        const menu = person.dialog(t('shell:account.open'))
        await menu.getByText(`${username} II`, { exact: true }).waitFor()
        await visit.assertAccessible('the menu', { colours: language === 'fr' })
        await visit.keepPicture(`account-menu-${language}`)
      }))

    test('changes its password, with a code when needed', () =>
      living(language, {}, async (person) => {
        const { visit, page, t } = person
        await person.signIn(email, password)
        await expectToast(person.page, t('auth:toast.signedIn'))
        await person.openProfile('security')
        const panel = person.panel(t('account:password.title'))
        await person.typePassword(panel, 'short', 'account:password.new')
        await person.button(t('account:password.submit'), panel).click()
        await panel.getByText(t('form:problem.tooShort_other', { bound: 6 })).last().waitFor()
        await person.typePassword(panel, 'a third secret', 'account:password.new')
        await person.typePassword(panel, 'a third secret!', 'account:password.confirmation')
        await person.button(t('account:password.submit'), panel).click()
        await panel.getByText(t('form:problem.passwordsDiffer')).waitFor()
        await visit.assertAccessible('a password that does not match', { colours: language === 'fr' })

        await asOwner(server, "update auth.sessions set created_at = created_at - interval '2 days'")
        await person.typePassword(panel, 'a third secret', 'account:password.confirmation')
        visit.expectRefusal(400, '/auth/v1/user')
        await person.button(t('account:password.submit'), panel).click()
        const code = panel.getByLabel(t('account:password.code'))
        await code.waitFor()
        const mail = await mailTo(email, ({ text }) => !text.includes('/verify') && /\b\d{6}\b/.test(text))
        await code.fill(mail.text.match(/\b\d{6}\b/)[0])
        await person.button(t('account:password.submit'), panel).click()
        await expectToast(person.page, t('account:password.done'))
        password = 'a third secret'
        assert.equal(await panel.getByLabel(t('account:password.new'), { exact: true }).inputValue(), '')
      }))

    test('lists its sessions and ends the others', () =>
      living(language, {}, async (person) => {
        const { page, t } = person
        await person.signIn(email, password)
        await expectToast(person.page, t('auth:toast.signedIn'))
        await living(language, { viewport: PHONE }, async (other) => {
          await other.signIn(email, password)
          await expectToast(other.page, t('auth:toast.signedIn'))
          await other.page.getByRole('heading', { level: 1, name: `${username} II` }).waitFor()

          await person.openProfile('security')
          const panel = person.panel(t('account:sessions.title'))
          await panel.getByText(t('account:sessions.current')).waitFor()
          assert.ok((await panel.getByRole('listitem').count()) >= 2)
          await person.button(t('account:sessions.endOthers'), panel).click()
          await expectToast(person.page, t('account:sessions.othersEnded'))
          await eventually(async () => (await panel.getByRole('listitem').count()) === 1)

          other.visit.expectRefusal(403, '/auth/v1/user')
          await other.openProfile('security')
          await expectToast(other.page, t('auth:toast.sessionEnded'))
          await other.page.getByRole('heading', { level: 1, name: t('access:signIn.title') }).waitFor()
          // Requests in flight when the session ends are refused with 401 or 403.
          other.visit.faults = other.visit.faults.filter((fault) => !/^40[13]: /.test(fault))
        })
        await page.reload()
        const panel = person.panel(t('account:sessions.title'))
        await panel.getByText(t('account:sessions.current')).waitFor()
        await person.button(t('account:sessions.endAll'), panel).click()
        const dialog = person.question(t('account:sessions.confirmTitle'))
        await person.visit.assertAccessible('asking before all sessions end', { colours: language === 'fr' })
        await person.button(t('account:sessions.endAll'), dialog).click()
        await expectToast(person.page, t('auth:toast.signedOut'))
        assert.equal(new URL(page.url()).pathname, LANGUAGES[language].home)
      }))

    test('is joined with another account, and parted', () =>
      living(language, {}, async (person) => {
        const { visit, page, t } = person
        await person.signIn(email, password)
        await expectToast(person.page, t('auth:toast.signedIn'))
        await person.openProfile('security')
        const panel = person.panel(t('account:identities.title'))
        await person.button(t('account:identities.link', { provider: 'Keycloak' }), panel).click()
        await page.waitForURL(`${provider.issuer}/**`)
        await page.getByLabel('Login').fill(`vega-${language}`)
        // The client may be done with what the provider left in the address before the page can be drawn.
        const texts = '**/assets/account-*.json'
        const read = page.waitForResponse(/\/auth\/v1\/token/)
        await page.route(texts, async (route) => {
          await read
          await route.continue()
        })
        await page.getByRole('button', { name: 'Continue' }).click()
        await expectToast(person.page, t('account:identities.linked', { provider: 'Keycloak' }))
        await page.unroute(texts)
        assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, `${person.prefix}/profile?tab=security`)
        await panel.getByText(`vega-${language}@provider.test`).waitFor()
        await person.lookAround('security')

        await person.button(t('account:identities.unlinkNamed', { provider: 'Keycloak' }), panel).click()
        const dialog = person.question(t('account:identities.confirmTitle', { provider: 'Keycloak' }))
        await person.lookAround('unlink')
        await person.button(t('account:identities.unlink'), dialog).click()
        await expectToast(person.page, t('account:identities.unlinked', { provider: 'Keycloak' }))
        await panel.getByText(`vega-${language}@provider.test`).waitFor({ state: 'detached' })
        await visit.assertAccessible('after parting', { colours: language === 'fr' })
      }))

    test('is protected by an app', () =>
      living(language, {}, async (person) => {
        const { page, t } = person
        await person.signIn(email, password)
        await expectToast(person.page, t('auth:toast.signedIn'))
        await person.openProfile('security')
        const panel = person.panel(t('account:factors.title'))
        await person.button(t('account:factors.addApp'), panel).click()
        const dialog = person.dialog(t('account:totp.title'))
        await dialog.getByRole('img', { name: t('account:totp.qr') }).waitFor()
        await dialog.getByText(t('account:totp.manual')).click()
        secret = (await dialog.locator('code').innerText()).replaceAll(' ', '')
        await person.lookAround('totp-setup')
        await person.refuseCode(dialog, t('account:totp.submit'))
        await dialog.getByRole('textbox').fill(totp(secret))
        await person.button(t('account:totp.submit'), dialog).click()
        await expectToast(person.page, t('account:factors.added'))
        await panel.getByText(t('account:factors.active')).waitFor()
        await person.lookAround('protected')
        await page.reload()
        await panel.getByText(t('account:factors.active')).waitFor()
      }))

    test('asks for the app at the next sign-in', () =>
      living(language, { viewport: PHONE }, async (person) => {
        const { visit, page, t } = person
        await person.signIn(email, password)
        const dialog = person.dialog(t('auth:secondStep.title'))
        await dialog.getByLabel(t('auth:field.code')).waitFor()
        await person.lookAround('second-step')
        // A session without the second factor does not count: the page still asks to sign in.
        await page.getByText(t('access:signIn.title')).waitFor()
        await person.refuseCode(dialog, t('auth:secondStep.submit'))
        await visit.assertAccessible('a wrong code', { colours: language === 'fr' })

        // Coming back later continues where it was left; giving up ends it.
        await page.reload()
        await dialog.getByLabel(t('auth:field.code')).waitFor()
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
        await eventually(() => page.evaluate(() => localStorage.getItem('palmares-session') === null))

        await person.signIn(email, password)
        await dialog.getByLabel(t('auth:field.code')).fill(totp(secret, 1))
        await person.button(t('auth:secondStep.submit'), dialog).click()
        await expectToast(person.page, t('auth:toast.signedIn'))
        await page.getByRole('heading', { level: 1, name: `${username} II` }).waitFor()

        await person.openProfile('danger')
        await person.lookAround('danger')
        await person.button(t('account:danger.delete')).click()
        const question = person.dialog(t('account:danger.confirmTitle'))
        await question.waitFor()
        await person.lookAround('delete')
        await question.getByRole('textbox').fill('somebody else')
        await person.button(t('account:danger.submit'), question).click()
        await question.getByText(t('account:danger.mismatch', { username: `${username} II` })).waitFor()
        await question.getByRole('textbox').fill(`${username} II`)
        // The session has already ended.
        visit.expectRefusal(403, '/auth/v1/logout')
        await person.button(t('account:danger.submit'), question).click()
        await expectToast(person.page, t('account:danger.done'))
        assert.equal(new URL(page.url()).pathname, LANGUAGES[language].home)
        const left = await asOwner(server, `select id from auth.users where email = '${email}'`)
        assert.deepEqual(left, [])
        visit.expectRefusal(400, TOKEN)
        await person.signIn(email, password)
        await expectToast(page, t('auth:signIn.failed'))
      }))
  })

describe('an outside account', () => {
  test('creates an account at the first sign-in', () =>
    living('en', {}, async (person) => {
      const { page, t } = person
      await person.openProfile()
      await person.button(t('access:signIn.enter'), page.getByRole('main')).click()
      await person.button(t('auth:provider.continue', { provider: 'Keycloak' })).click()
      await page.waitForURL(`${provider.issuer}/**`)
      await page.getByLabel('Login').fill('lyra')
      await page.getByRole('button', { name: 'Continue' }).click()
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.getByRole('heading', { level: 1, name: 'lyra', exact: true }).waitFor()
      assert.equal(new URL(page.url()).pathname, '/en/profile')
    }))

  test('is not linked when another account has it', () =>
    living('es', {}, async (person) => {
      const { page, t } = person
      await person.signIn('player@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('security')
      await person.button(t('account:identities.link', { provider: 'Keycloak' })).click()
      await page.waitForURL(`${provider.issuer}/**`)
      await page.getByLabel('Login').fill('lyra')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText(t('errors:identityTaken')).first().waitFor()
      await expectToast(person.page, t('account:identities.notLinked'))
      await person.panel(t('account:identities.title')).getByText('player@palmares.test').waitFor()
    }))
})

describe('the profile', () => {
  for (const [email, role] of [
    ['founder@palmares.test', 'founder'],
    ['admin@palmares.test', 'admin'],
    ['owner@palmares.test', 'owner'],
  ])
    test(`shows the role of ${email} as ${role}`, () =>
      living('fr', {}, async (person) => {
        const { page, t } = person
        await person.signIn(email, DEMO_PASSWORD)
        await expectToast(person.page, t('auth:toast.signedIn'))
        await page
          .getByRole('main')
          .getByText(t(`shell:role.${role}`), { exact: true })
          .waitFor()
        await page.getByRole('main').getByRole('list').first().waitFor()
        await person.lookAround(`profile-${role}`)
      }))

  test('throws nothing about while it comes', () =>
    living('fr', {}, async (person) => {
      const { page, t, visit } = person
      await person.signIn('player@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.setViewportSize(PHONE)
      await person.openProfile()
      await person.panel(t('profile:details.title')).getByText(t('profile:details.username')).waitFor()
      await visit.assertSteady()
    }))

  test('keeps unsaved text after an expired session', () =>
    living('fr', {}, async (person) => {
      const { visit, page, t } = person
      await person.signIn('player@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      /** Simulates a session that was closed elsewhere: its token has expired, and renewal is refused. */
      const end = () => {
        visit.expectRefusal(400, TOKEN)
        return page.evaluate(() => {
          const storedSession = JSON.parse(localStorage.getItem('palmares-session'))
          localStorage.setItem('palmares-session', JSON.stringify({ ...storedSession, expires_at: 1, refresh_token: 'gone' }))
        })
      }
      /**
       * Ends the session and submits the form. A request of the page itself may meet the end first: then the form has
       * given way to the sign-in already, and its button does nothing.
       */
      const endAtSubmit = async (submit) => {
        const button = await submit.elementHandle()
        visit.tolerateRefusals(401)
        await end()
        await button.evaluate((element) => element.click())
      }
      const signInAgain = async () => {
        const dialog = person.dialog(t('auth:signIn.title'))
        await dialog.getByLabel(t('auth:field.email')).fill('player@palmares.test')
        await person.typePassword(dialog, DEMO_PASSWORD)
        await person.button(t('auth:signIn.submit'), dialog).click()
        await dialog.waitFor({ state: 'detached' })
      }

      const details = person.panel(t('profile:details.title'))
      await person.button(t('profile:details.edit'), details).click()
      await details.getByLabel(t('profile:details.username')).fill('Pablo le Long')
      // Without a network the form stays open and shows an error.
      await page.route('**/rest/v1/profiles?*', (route) => route.abort())
      await person.button(t('profile:details.save'), details).click()
      await details.getByText(t('form:offline')).waitFor()
      await page.unroute('**/rest/v1/profiles?*')
      visit.faults.length = 0
      await endAtSubmit(person.button(t('profile:details.save'), details))
      await person.button(t('errors:signInAgain')).click()
      await signInAgain()
      assert.equal(await details.getByLabel(t('profile:details.username')).inputValue(), 'Pablo le Long')
      await details.getByText(t('form:draft.restored')).waitFor()
      await visit.assertAccessible('what was written is back')
      await person.button(t('profile:details.save'), details).click()
      await expectToast(person.page, t('profile:details.saved'))

      await page.goto('/serveur/loupgarde')
      await person.button(t('server-page:actions.report')).first().click()
      const report = page.getByRole('dialog', { name: /^Signaler/ })
      await report.getByRole('radio', { name: t('report:reason.other') }).check()
      await report.getByRole('textbox').fill('Une adresse volée à un autre serveur.')
      await endAtSubmit(person.button(t('report:submit'), report))
      await signInAgain()
      assert.equal(await report.getByRole('textbox').inputValue(), 'Une adresse volée à un autre serveur.')
      await person.button(t('report:submit'), report).click()
      await report.waitFor({ state: 'detached' })
    }))

  test('hides and shows a server of one’s own', () =>
    living('fr', {}, async (person) => {
      const { visit, t } = person
      await person.signIn('owner2@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      const row = person.panel(t('profile:servers.title')).getByRole('listitem').first()
      const name = await row.getByRole('link').first().innerText()
      await person.button(t('visibility:hideNamed', { server: name }), row).click()
      await expectToast(person.page, t('visibility:nowHidden'))
      await row.getByText(t('visibility:state.hidden'), { exact: true }).waitFor()
      await visit.assertAccessible('a hidden server')
      await person.button(t('visibility:showNamed', { server: name }), row).click()
      await expectToast(person.page, t('visibility:shown'))
      await row.getByText(t('visibility:state.visible'), { exact: true }).waitFor()
    }))

  test('keeps the only founder', () =>
    living('en', {}, async (person) => {
      const { visit, t } = person
      await person.signIn('founder@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('danger')
      await person.button(t('account:danger.delete')).click()
      const dialog = person.dialog(t('account:danger.confirmTitle'))
      await dialog.getByRole('textbox').fill('Fanny')
      visit.expectRefusal(403, '/rest/v1/rpc/delete_own_account')
      await person.button(t('account:danger.submit'), dialog).click()
      await dialog.getByText(t('errors:lastFounder')).waitFor()
    }))

  test('shows a failed panel and retries it', () =>
    living('fr', {}, async (person) => {
      const { visit, page, t } = person
      await person.signIn('player@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      const broken = '**/rest/v1/rpc/get_my_sessions*'
      await page.route(broken, (route) => route.fulfill({ status: 400, json: { message: 'no', code: '22000' } }))
      visit.expectRefusal(400, '/rest/v1/rpc/get_my_sessions')
      await person.openProfile('security')
      const panel = person.panel(t('account:sessions.title'))
      await panel.getByText(t('account:sessions.unreadable')).waitFor()
      await visit.assertAccessible('a panel that failed')
      await visit.keepPicture('account-failed')
      await page.unroute(broken)
      await person.button(t('ui:retry'), panel).click()
      await panel.getByText(t('account:sessions.current')).waitFor()
    }))

  test('can be used with keys alone', () =>
    living('fr', {}, async (person) => {
      const { page, t } = person
      await person.signIn('player@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.getByRole('tab', { name: t('profile:tabs.profile') }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { name: t('profile:tabs.security'), selected: true }).waitFor()
      assert.equal(new URL(page.url()).search, '?tab=security')
      const add = person.button(t('account:factors.addApp'))
      await add.focus()
      await page.keyboard.press('Enter')
      const dialog = person.dialog(t('account:totp.title'))
      await dialog.getByRole('textbox').and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await add.and(page.locator(':focus')).waitFor()
    }))
})

describe('a phone', () => {
  test('protects an account, beside an app or alone', () =>
    living('fr', {}, async (person) => {
      const { visit, page, t } = person
      const email = 'owner2@palmares.test'
      await person.signIn(email, DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('security')
      const panel = person.panel(t('account:factors.title'))
      await person.button(t('account:factors.addPhone'), panel).click()
      const dialog = person.dialog(t('account:phone.title'))
      await dialog.getByLabel(t('account:phone.number')).fill('06 12')
      await person.button(t('account:phone.send'), dialog).click()
      await dialog.getByText(t('account:refusal.phoneInvalid')).waitFor()
      await dialog.getByLabel(t('account:phone.number')).fill('+1 555-0100')
      await person.lookAround('phone-setup')
      await person.button(t('account:phone.send'), dialog).click()
      await dialog.getByLabel(t('account:phone.code')).waitFor()
      await person.refuseCode(dialog, t('account:totp.submit'))
      await dialog.getByRole('textbox').fill('123456')
      await person.button(t('account:totp.submit'), dialog).click()
      await expectToast(person.page, t('account:factors.added'))
      await panel.getByText('•••• 0100').waitFor()
      await person.addApp()
      await eventually(async () => (await panel.getByRole('listitem').count()) === 2)
      await person.lookAround('two-factors')
      await person.signOut()

      // The dialog asks for the app first; the phone is accepted as well.
      await person.signIn(email, DEMO_PASSWORD)
      const step = person.dialog(t('auth:secondStep.title'))
      await step.getByLabel(t('auth:field.code')).waitFor()
      const other = t('auth:secondStep.use', {
        name: t('account:factors.kind.phone'),
      })
      await person.button(other, step).click()
      await person.button(t('auth:secondStep.send'), step).click()
      await step.getByText(t('auth:field.codePhoneHelp')).waitFor()
      await person.lookAround('second-step-phone')
      await step.getByLabel(t('auth:field.code')).fill('123456')
      await person.button(t('auth:secondStep.submit'), step).click()
      await expectToast(person.page, t('auth:toast.signedIn'))

      await person.openProfile('security')
      for (const name of [t('account:factors.kind.totp'), t('account:factors.kind.phone')]) {
        await person.button(t('account:factors.removeNamed', { name }), panel).click()
        const question = person.question(t('account:factors.confirmTitle', { name }))
        await visit.assertAccessible('asking before a factor goes')
        await person.button(t('account:factors.remove'), question).click()
        await expectToast(person.page, t('account:factors.removed'))
      }
      await panel.getByText(t('account:factors.empty')).waitFor()
      await person.signOut()
      await person.signIn(email, DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.getByRole('heading', { level: 1, name: 'Olivia' }).waitFor()
    }))
})

describe('a key', () => {
  /** Gives the browser an authenticator that always agrees: built in, or carried along. */
  async function holdKey({ visit, page }, transport) {
    const devtools = await visit.context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  test('of the device signs in without a password', () =>
    living('es', {}, async (person) => {
      const { page, t } = person
      await holdKey(person, 'internal')
      await person.signIn('owner@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('security')
      const panel = person.panel(t('account:passkeys.title'))
      await panel.getByText(t('account:passkeys.empty')).waitFor()
      await person.button(t('account:passkeys.add'), panel).click()
      await expectToast(person.page, t('account:passkeys.added'))
      await panel.getByRole('listitem').waitFor()
      await panel.scrollIntoViewIfNeeded()
      await person.lookAround('passkeys', { colours: true })
      await person.signOut()

      await person.openProfile()
      await person.button(t('access:signIn.enter'), page.getByRole('main')).click()
      await person.button(t('auth:passkey.signIn')).click()
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.getByRole('heading', { level: 1, name: 'Octave' }).waitFor()

      await person.openProfile('security')
      const name = await panel.getByRole('listitem').locator('p').first().innerText()
      await person.button(t('account:passkeys.removeNamed', { name }), panel).click()
      const dialog = person.question(t('account:passkeys.confirmTitle', { name }))
      await person.button(t('account:passkeys.remove'), dialog).click()
      await expectToast(person.page, t('account:passkeys.removed'))
      await panel.getByText(t('account:passkeys.empty')).waitFor()
    }))

  test('one carries is a second factor', () =>
    living('en', {}, async (person) => {
      const { page, t } = person
      await holdKey(person, 'usb')
      await person.signIn('owner@palmares.test', DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('security')
      const panel = person.panel(t('account:factors.title'))
      await person.button(t('account:factors.addKey'), panel).click()
      await expectToast(person.page, t('account:factors.added'))
      await panel.getByText(t('account:factors.active')).waitFor()
      await person.signOut()

      await person.signIn('owner@palmares.test', DEMO_PASSWORD)
      const step = person.dialog(t('auth:secondStep.title'))
      await person.button(t('auth:secondStep.showKey'), step).waitFor()
      await person.lookAround('second-step-key', { colours: true })
      await person.button(t('auth:secondStep.showKey'), step).click()
      await expectToast(person.page, t('auth:toast.signedIn'))
      await page.getByRole('heading', { level: 1, name: 'Octave' }).waitFor()

      await person.openProfile('security')
      const name = t('account:factors.kind.key')
      await person.button(t('account:factors.removeNamed', { name }), panel).click()
      const dialog = person.question(t('account:factors.confirmTitle', { name }))
      await person.button(t('account:factors.remove'), dialog).click()
      await expectToast(person.page, t('account:factors.removed'))
    }))
})

describe('a forgotten password of a protected account', () => {
  test('is reset only after the second factor', () =>
    living('en', {}, async (person) => {
      const { page, t } = person
      const email = 'player@palmares.test'
      await person.signIn(email, DEMO_PASSWORD)
      await expectToast(person.page, t('auth:toast.signedIn'))
      await person.openProfile('security')
      const secret = await person.addApp()
      await person.signOut()

      await person.openProfile()
      await person.button(t('access:signIn.enter'), page.getByRole('main')).click()
      await page.getByRole('tab', { name: t('auth:tabs.reset') }).click()
      const dialog = person.dialog(t('auth:reset.title'))
      const panel = dialog.getByRole('tabpanel', { name: t('auth:tabs.reset'), exact: true })
      await panel.getByLabel(t('auth:field.email')).fill(email)
      await person.button(t('auth:reset.submit'), panel).click()
      await expectToast(person.page, t('auth:reset.done.title'))
      await page.goto(linkIn(await mailTo(email)))

      const step = person.dialog(t('auth:secondStep.title'))
      await step.getByLabel(t('auth:field.code')).waitFor()
      await page.getByText(t('auth:newPassword.secondStep')).waitFor()
      await person.lookAround('new-password-protected', { colours: true })
      await step.getByLabel(t('auth:field.code')).fill(totp(secret, 1))
      await person.button(t('auth:secondStep.submit'), step).click()
      const form = page.getByRole('main').locator('form')
      await person.typePassword(form, 'another secret', 'auth:field.newPassword')
      await person.typePassword(form, 'another secret', 'auth:field.confirmation')
      await person.button(t('auth:newPassword.submit'), form).click()
      await expectToast(person.page, t('auth:newPassword.done'))
      await page.getByRole('heading', { level: 1, name: 'Pablo' }).waitFor()
    }))
})

describe('where proof is asked for', () => {
  test('a sign-in brings it along by itself', async () => {
    const guarded = await startServer({
      args: ['--demo'],
      env: {
        GOTRUE_SECURITY_CAPTCHA_ENABLED: 'true',
        GOTRUE_SECURITY_CAPTCHA_PROVIDER: 'altcha',
        GOTRUE_SECURITY_CAPTCHA_SECRET: 'a secret of this test, long enough',
      },
    })
    try {
      await Visit.during(browser, { url: guarded.url }, async (visit) => {
        const person = new Person(visit, 'fr')
        visit.expectRefusal(400, TOKEN)
        await person.signIn('player@palmares.test', DEMO_PASSWORD)
        await expectToast(person.page, person.t('auth:toast.signedIn'))
      })
    } finally {
      await guarded.stop()
    }
  })
})
