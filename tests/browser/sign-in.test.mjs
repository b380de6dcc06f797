// Signing up, in and out, as people do it: with the mail they get and the mistakes they make.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'

import { PHONE, Visit, launch } from '../support/browser.mjs'
import { eventually, startServer } from '../support/server.mjs'

const PASSWORD = 'palmares-demo'
const TOKEN = '/auth/v1/token'

let server
let browser

before(async () => {
  ;[server, browser] = await Promise.all([startServer({ args: ['--demo'], env: { CAPTCHA_COST: '50' } }), launch()])
})
after(() => Promise.all([browser?.close(), server?.stop()]))

const visiting = (options, look) => Visit.during(browser, { url: server.url, ...options }, look)
const ready = (page) => page.locator('#server-list[aria-busy=false] article').first().waitFor()

/** The link in the mail somebody was sent. */
async function linkFor(email) {
  const mail = await eventually(async () => {
    const mails = await (await fetch(`${server.url}/mailbox`)).json()
    return mails.find((one) => one.to === email)
  })
  return mail.text.match(/https?:\/\/\S+\/auth\/v1\/verify\S+/)[0]
}

async function signIn(page, email, password) {
  await page.getByRole('banner').getByRole('button', { name: 'Connexion' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bon retour parmi nous' })
  await dialog.getByLabel('Adresse e-mail').fill(email)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Se connecter' }).click()
  return dialog
}

describe('the account dialog', () => {
  test('has tabs with arrow keys and focus return', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/')
      await ready(page)
      const opener = page.getByRole('banner').getByRole('button', { name: 'Connexion' })
      await opener.click()
      await page.getByRole('dialog', { name: 'Bon retour parmi nous' }).waitFor()
      await page.locator('input[type=email]:focus').waitFor()
      await visit.lookAround('sign-in')
      await page.getByRole('tab', { name: 'Connexion' }).focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog', { name: 'Créer un compte' }).waitFor()
      await visit.glance('sign-up')
      await page.keyboard.press('ArrowRight')
      await page.getByRole('dialog', { name: 'Mot de passe oublié' }).waitFor()
      await visit.assertAccessible('the tab for a forgotten password')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await opener.and(page.locator(':focus')).waitFor()
    }))

  test('says what is missing beside the field', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/')
      await page.getByRole('banner').getByRole('button', { name: 'Inscription' }).click()
      const dialog = page.getByRole('dialog', { name: 'Créer un compte' })
      await dialog.getByLabel('Adresse e-mail').fill('nobody')
      await dialog.getByLabel('Mot de passe', { exact: true }).fill('court')
      await dialog.getByRole('button', { name: 'Créer mon compte' }).click()
      await dialog.getByText('Ce champ est obligatoire.').waitFor()
      await dialog.getByText('Saisissez une adresse e-mail complète.').waitFor()
      await dialog.getByText('Au moins 6 caractères.').waitFor()
      await visit.assertAccessible('a form with problems')
      await visit.keepPicture('sign-up-problems')
    }))
})

describe('an account', () => {
  test('is created and confirmed by mail link', () =>
    visiting({}, async (visit, page) => {
      const email = 'nova@example.org'
      await page.goto('/')
      await ready(page)
      await page.getByRole('banner').getByRole('button', { name: 'Inscription' }).click()
      const dialog = page.getByRole('dialog', { name: 'Créer un compte' })
      await dialog.getByLabel('Nom d’utilisateur').fill('Nova')
      await dialog.getByLabel('Adresse e-mail').fill(email)
      await dialog.getByLabel('Mot de passe', { exact: true }).fill('un bon secret')
      await dialog.getByRole('button', { name: 'Créer mon compte' }).click()
      const notice = page.getByRole('dialog', { name: 'Plus qu’une étape' })
      await notice.getByText(email).waitFor()
      await visit.assertAccessible('the notice')
      await visit.keepPicture('sign-up-notice')
      await page.keyboard.press('Escape')
      await notice.waitFor({ state: 'detached' })

      // Too early: the answer leads back to the mail.
      visit.expectRefusal(400, TOKEN)
      await signIn(page, email, 'un bon secret')
      await page.getByRole('dialog', { name: 'Plus qu’une étape' }).waitFor()
      await page.keyboard.press('Escape')

      await page.goto(await linkFor(email))
      const menu = page.getByRole('button', { name: 'Mon compte : nova' })
      await menu.waitFor()
      assert.equal(new URL(page.url()).hash, '')
      await menu.click()
      await page.getByRole('link', { name: 'Profil' }).waitFor()
      await visit.assertAccessible('the menu')
      await visit.keepPicture('account-menu')
      await page.getByRole('button', { name: 'Se déconnecter' }).click()
      await page.getByText('Vous êtes déconnecté').first().waitFor()
      await page.getByRole('banner').getByRole('button', { name: 'Inscription' }).waitFor()

      await signIn(page, email, 'un bon secret')
      await page.getByText('Vous êtes connecté').first().waitFor()
      await page.reload()
      await menu.waitFor()
    }))

  test('keeps the email after a wrong password', () =>
    visiting({ viewport: PHONE }, async (visit, page) => {
      await page.goto('/')
      visit.expectRefusal(400, TOKEN)
      const dialog = await signIn(page, 'player@palmares.test', 'not the password')
      await page.getByText('E-mail ou mot de passe incorrect.').first().waitFor()
      assert.equal(await dialog.getByLabel('Adresse e-mail').inputValue(), 'player@palmares.test')
      await visit.keepPicture('sign-in-refused-phone')
      await visit.assertAccessible('a refused sign-in')
      await dialog.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
      await dialog.getByRole('button', { name: 'Se connecter' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Mon compte : player' }).waitFor()
    }))

  test('opens the admin area for administrators', () =>
    visiting({}, async (visit, page) => {
      await page.goto('/')
      await signIn(page, 'admin@palmares.test', PASSWORD)
      await page.getByRole('button', { name: 'Mon compte : admin' }).click()
      await page.getByRole('dialog', { name: 'Mon compte' }).getByRole('link', { name: 'Administration' }).click()
      await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor()
      const sections = page.getByRole('navigation', { name: 'Sections de l’administration' })
      await sections.getByRole('link', { name: 'Signalements 3 en attente' }).waitFor()
      await visit.glance('admin')

      // On a phone the sections are a menu, which going on closes.
      await page.setViewportSize(PHONE)
      const partners = sections.getByRole('link', { name: 'Partenaires et liens' })
      assert.equal(await partners.count(), 0)
      await sections.getByRole('button', { expanded: false }).click()
      await visit.assertAccessible('the sections')
      await partners.click()
      await page.getByRole('heading', { level: 1, name: 'Partenaires et liens' }).waitFor()
      await sections.getByRole('button', { expanded: false }).waitFor()
      await visit.glance('admin-section')
      await page.getByRole('navigation', { name: 'Fil d’Ariane' }).getByRole('link', { name: 'Administration' }).click()
      await page.getByRole('heading', { level: 1, name: 'Administration' }).waitFor()
    }))

  test('shows why access to a page is refused', () =>
    visiting({}, async (visit, page) => {
      const refused = async (path, title) => {
        await page.goto(path)
        await page.getByRole('heading', { level: 1, name: title }).waitFor()
        await visit.glance(`access${path.replaceAll('/', '-')}`)
      }
      await refused('/my-votes', 'Connectez-vous pour continuer')
      await signIn(page, 'player@palmares.test', PASSWORD)
      await page.getByRole('button', { name: 'Mon compte : player' }).click()
      await page.getByRole('button', { name: 'Se déconnecter' }).waitFor()
      const menu = page.getByRole('dialog', { name: 'Mon compte' })
      assert.equal(await menu.getByRole('link', { name: 'Administration' }).count(), 0)
      await refused('/admin', 'Action réservée aux fondateurs et administrateurs')
      await refused('/creator-tools', 'Il vous faut un serveur')
      await page.getByRole('link', { name: 'Ajouter un serveur' }).last().click()
      await page.getByRole('heading', { level: 1, name: 'Ajouter un serveur' }).waitFor()
      await visit.glance('owner')
      await page.goto('/privacy')
      await page.getByRole('heading', { level: 1, name: 'Politique de confidentialité' }).waitFor()
      await visit.glance('docs')

      await page.route('**/rest/v1/profiles?*', (route) =>
        route.fulfill({ status: 400, json: { message: 'no', code: '22000' } }),
      )
      visit.expectRefusal(400, '/rest/v1/profiles')
      await refused('/admin/users', 'Impossible de charger votre compte')
      // Nothing is answered: the shape of what comes.
      await page.unroute('**/rest/v1/profiles?*')
      await page.route('**/rest/v1/profiles?*', () => {})
      await page.getByRole('button', { name: 'Réessayer' }).click()
      await page.goto('/admin/users')
      await page.getByRole('status', { name: 'Chargement de la page…' }).waitFor()
      await visit.assertFits('waiting for an account')
    }))
})
