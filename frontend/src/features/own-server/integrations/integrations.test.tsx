import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { done, refusal, refused, table, type Answer, type ApiRequest } from '@/testing/answers'
import { dialogCloses, fieldOf, openQuestion, plain, press, refusesField, user, write } from '@/testing/controls'
import { closePage, openPage, shownAddress, toastSays } from '@/testing/open-page'
import type { OwnServer } from '../api/own-server'
import { IntegrationsTab } from '../edit/integrations-tab'
import { DeliveriesSection } from './deliveries-section'
import { VotifierSection } from './votifier-section'
import { WebhookSection } from './webhook-section'

const props = { server: { id: 's1' } as OwnServer, userId: 'u1' }
const SECRET = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ='
const WEBHOOK = {
  url: 'https://loup.example/votes',
  secret: SECRET,
  format: 'json',
  is_active: true,
  disabled_at: null,
  previous_secret_until: null,
}
const LISTENER = {
  host: 'mc.example',
  port: 8192,
  protocol: 'v2',
  token: 'abc',
  public_key: null,
  is_active: true,
  disabled_at: null,
}

const openWebhook = (rows: object[], known: Record<string, Answer> = {}) =>
  openPage(<WebhookSection {...props} />, { webhooks: table(rows), ...known })
const openVotifier = (rows: object[], known: Record<string, Answer> = {}) =>
  openPage(<VotifierSection {...props} />, { votifier_configs: table(rows), ...known })

afterEach(closePage)

it('creates a webhook with a generated secret', async () => {
  const { sentTo, sentOf } = await openWebhook([])
  await screen.findByRole('form', { name: 'Webhook' })
  const secret = fieldOf('Secret').value
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
  await user.click(screen.getByRole('radio', { name: /^Message Discord/ }))
  await write('URL', ' https://discord.example/hook ')
  await press('Activer')
  expect(await sentTo('webhooks')).toEqual([
    { server_id: 's1', url: 'https://discord.example/hook', secret, format: 'discord', is_active: true },
  ])
  expect(sentOf('webhooks')[0]?.method).toBe('POST')
  await toastSays('Webhook créé', 'success')
})

it.each([
  ['URL', '', 'URL et secret sont obligatoires'],
  ['URL', 'loup.example', 'Saisissez une adresse http ou https'],
  ['URL', 'https://{nick}.example', 'Saisissez une adresse http ou https'],
  ['Secret', '', 'URL et secret sont obligatoires'],
  ['Secret', 'short', 'Au moins 8 caractères.'],
])('says beside "%s" what is wrong with %j', async (label, text, words) => {
  const { sentOf } = await openWebhook([WEBHOOK])
  await screen.findByRole('form')
  await write(label, text)
  await press('Enregistrer')
  await refusesField(label, words)
  expect(sentOf('webhooks')).toEqual([])
})

it('accepts placeholders in the webhook URL', async () => {
  const { sentTo } = await openWebhook([WEBHOOK])
  await screen.findByRole('form')
  await user.click(screen.getByRole('radio', { name: /^Appel GET/ }))
  await write('URL', 'https://loup.example/?nick={nick}&t={time}')
  await press('Enregistrer')
  const [sent] = await sentTo('webhooks')
  expect(sent).toMatchObject({ url: 'https://loup.example/?nick={nick}&t={time}', format: 'postback' })
  await toastSays('Webhook mis à jour', 'success')
})

it('shows a database refusal beside the URL', async () => {
  await openWebhook([WEBHOOK], { webhooks: table([WEBHOOK], refusal('23514', 400)) })
  await screen.findByRole('form')
  await write('URL', 'https://loup.example/other')
  await press('Enregistrer')
  await refusesField('URL', 'Impossible de modifier le webhook. Saisissez une adresse http ou https')
})

it('disables the trial after regenerating the secret', async () => {
  await openWebhook([WEBHOOK])
  await screen.findByRole('form')
  const trial = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Envoyer un essai' })
  expect(trial().disabled).toBe(false)
  await press('Régénérer')
  await waitFor(() => expect(fieldOf('Secret').value).not.toBe(SECRET))
  expect(trial().disabled).toBe(true)
  expect(screen.getByText(/^Enregistrez d’abord/)).toBeTruthy()
})

const RESULT = { isDelivered: true, isConfirmed: true, fault: null, status: 200, answer: 'ok' }
it.each([
  [RESULT, ['Reçu', 'Votre adresse a bien reçu l’essai.', 'ok']],
  [{ ...RESULT, isConfirmed: false, answer: null }, ['Envoyé, non confirmé']],
  [
    { ...RESULT, isDelivered: false, isConfirmed: false, fault: 'status', status: 500, answer: 'Oops' },
    ['Échec', 'Votre adresse a répondu 500 ; seul 200 à 299 compte comme reçu.', 'Oops'],
  ],
  [{ ...RESULT, isDelivered: false, fault: 'a_later_one', answer: null }, ['Échec', 'L’envoi a échoué.']],
])('says what a trial came to', async (data, expected) => {
  const { sentTo } = await openWebhook([WEBHOOK], { 'functions/webhook-test': { data } })
  await press('Envoyer un essai')
  expect(await sentTo('functions/webhook-test')).toEqual([{ serverId: 's1' }])
  const verdict = await waitFor(() => {
    const found = screen.getAllByRole('status').find(({ textContent }) => textContent !== '')
    if (!found) throw new Error('nothing is said yet')
    return plain(found.textContent)
  })
  for (const words of expected) expect(verdict).toContain(words)
})

it.each([
  ['insufficient_aal', 403, 'Reconnectez-vous avec votre second facteur.'],
  ['too_many_requests', 429, 'Trop de tentatives. Patientez un instant avant de réessayer.'],
])('says why no trial was made: %s', async (code, status, words) => {
  await openWebhook([WEBHOOK], { 'functions/webhook-test': () => refused(code, status) })
  await press('Envoyer un essai')
  expect(await screen.findByText((text) => plain(text).trim() === words)).toBeTruthy()
  expect(screen.getByText('Erreur pendant le test du webhook.')).toBeTruthy()
})

it('asks before a webhook goes', async () => {
  const { sentOf } = await openWebhook([WEBHOOK])
  await press('Supprimer')
  const { question } = await openQuestion('Supprimer le webhook ?')
  expect(sentOf('webhooks')).toEqual([])
  await press('Supprimer', question)
  await toastSays('Webhook supprimé', 'success')
  expect(sentOf('webhooks').map(({ method, query }) => [method, query.get('server_id')])).toEqual([['DELETE', 'eq.s1']])
})

it('shows that failures disabled the webhook', async () => {
  await openWebhook([{ ...WEBHOOK, is_active: false, disabled_at: '2026-11-20T10:00:00Z' }])
  expect(await screen.findByText(/^Désactivé après trop d’échecs/)).toBeTruthy()
  expect(fieldOf('Actif').checked).toBe(false)
})

it.each([
  [/^Version 2/, ['Jeton'], ['Clé publique']],
  [/^Version 1/, ['Clé publique'], ['Jeton']],
  [/^Automatique/, ['Jeton', 'Clé publique'], []],
])('shows credential fields required by listener %s', async (protocol, request, spared) => {
  await openVotifier([])
  await screen.findByRole('form', { name: 'Votifier' })
  await user.click(screen.getByRole('radio', { name: protocol }))
  for (const label of request) expect(fieldOf(label)).toBeTruthy()
  for (const label of spared) expect(screen.queryByLabelText(new RegExp(`^${label}`))).toBeNull()
})

it.each([
  [/^Version 2/, 'Jeton'],
  [/^Version 1/, 'Clé publique'],
  [/^Automatique/, 'Jeton'],
])('marks the missing credential of listener %s', async (protocol, label) => {
  const { sentOf } = await openVotifier([])
  await screen.findByRole('form', { name: 'Votifier' })
  await user.click(screen.getByRole('radio', { name: protocol }))
  await write('Hôte', 'mc.example')
  await press('Activer')
  await refusesField(label, 'Hôte, port et jeton (ou clé) sont obligatoires')
  expect(sentOf('votifier_configs')).toEqual([])
})

it('saves hidden credential fields as null', async () => {
  const { sentTo } = await openVotifier([LISTENER])
  await screen.findByRole('form', { name: 'Votifier' })
  await user.click(screen.getByRole('radio', { name: /^Automatique/ }))
  await write('Clé publique', 'x'.repeat(4001))
  await user.click(screen.getByRole('radio', { name: /^Version 2/ }))
  await write('Hôte', 'mc2.example')
  await press('Enregistrer')
  const [sent] = await sentTo('votifier_configs')
  expect(sent).toMatchObject({ host: 'mc2.example', protocol: 'v2', token: 'abc', public_key: null })
})

it('enables the trial after saving the listener', async () => {
  let row: object = LISTENER
  const { sentTo } = await openVotifier([], {
    votifier_configs: (request: ApiRequest) => {
      if (request.method === 'GET') return Response.json([row])
      row = { ...row, ...(request.body as object) }
      return new Response(null, { status: 204 })
    },
  })
  await screen.findByRole('form', { name: 'Votifier' })
  await write('Port', '8193')
  await press('Enregistrer')
  await sentTo('votifier_configs')
  await toastSays('Configuration Votifier mise à jour', 'success')
  expect(fieldOf('Port').value).toBe('8193')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /vote d’essai/ }).disabled).toBe(false)
})

const delivery = (id: string, status: string, rest: object = {}) => ({
  id,
  channel: 'webhook',
  event: 'vote.created',
  payload: { vote: { nickname: 'Ada' } },
  status,
  attempts: 1,
  next_attempt_at: '2026-11-26T13:00:00Z',
  fault: null,
  request: null,
  answer_status: null,
  answer: null,
  is_confirmed: true,
  created_at: '2026-11-26T11:00:00Z',
  delivered_at: null,
  ...rest,
})
const LOG = [
  delivery('d1', 'delivered', { answer: '', answer_status: 204, request: 'POST /votes' }),
  delivery('d2', 'delivered', { channel: 'votifier', is_confirmed: false, payload: { vote: { nickname: 7 } } }),
  delivery('d3', 'pending', { attempts: 3 }),
  delivery('d4', 'failed', { fault: 'timed_out', payload: null }),
  delivery('d5', 'delivered', { event: 'webhook.test' }),
]
const openLog = (rows: object[] = LOG, known: Record<string, Answer> = {}) =>
  openPage(<DeliveriesSection {...props} />, { deliveries: rows, ...known })
const lines = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => plain(textContent))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-26T12:00:00Z') })
})

it('lists deliveries with receiver, status and attempts', async () => {
  await openLog()
  const expected = await lines()
  expect(expected[0]).toMatch(/^ReçuAdaWebhook · il y a 1 heure1 essaiEnvoyéPOST \/votesRéponse 204–Renvoyer$/)
  expect(expected[1]).toMatch(/^Envoyé, non confirmé–Votifier · /)
  expect(expected[2]).toMatch(/^En attenteAda.*3 essais · prochain essai dans 1 heure$/)
  expect(expected[3]).toMatch(/^Échec–.*Pas de réponse à temps\./)
  expect(expected[4]).toMatch(/^ReçuEssai/)
})

it('offers resending only for settled vote deliveries', async () => {
  await openLog()
  const offers = (await screen.findAllByRole('listitem')).map((line) => line.querySelector('button') !== null)
  expect(offers).toEqual([true, true, false, true, false])
})

it('sends once more however often it is pressed', async () => {
  let answer = (_: Response): void => {}
  const { sentOf } = await openLog([LOG[3]!], {
    'rpc/replay_deliveries': () => new Promise<Response>((resolve) => (answer = resolve)),
  })
  await press('Renvoyer')
  await press('Renvoyer')
  await act(async () => answer(Response.json(1)))
  await toastSays('Renvoi programmé', 'success')
  expect(sentOf('rpc/replay_deliveries').map(({ body }) => body)).toEqual([{ p_server_id: 's1', p_ids: ['d4'] }])
})

it('resends all failed deliveries at once', async () => {
  const { sentTo } = await openLog(LOG, { 'rpc/replay_deliveries': () => Response.json(0) })
  await press('Renvoyer tous les échecs')
  expect(await sentTo('rpc/replay_deliveries')).toEqual([{ p_server_id: 's1' }])
  await toastSays('Rien à renvoyer : le destinataire est peut-être désactivé')
})

it('offers to send nothing again where nothing failed', async () => {
  await openLog(LOG.slice(0, 3))
  await lines()
  expect(screen.queryByRole('button', { name: 'Renvoyer tous les échecs' })).toBeNull()
})

it.each([
  [[], 'Aucun envoi pour le moment.'],
  [refusal('42501', 403), 'Vous n’avez pas les droits nécessaires.'],
])('shows the empty state or load error', async (answer, words) => {
  await openPage(<DeliveriesSection {...props} />, { deliveries: answer })
  expect(await screen.findByText(words)).toBeTruthy()
})

it.each([
  ['', 'API des votes'],
  ['?section=webhook', 'Webhook'],
  ['?section=nowhere', 'API des votes'],
])('opens the section that %j names', async (search, open) => {
  await openPage(
    <IntegrationsTab {...props} />,
    { webhooks: table([]), servers_managed: { id: 's1', api_token: null, open_vote_api: false } },
    { path: `/edit-server/s1/integrations${search}` },
  )
  const nav = within(await screen.findByRole('navigation', { name: 'Notifications de vote' }))
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe(open)
  expect(await screen.findByRole('heading', { level: 2, name: open })).toBeTruthy()
})

it('leads from section to section by the address', async () => {
  await openPage(
    <IntegrationsTab {...props} />,
    { deliveries: [], servers_managed: { id: 's1', api_token: null, open_vote_api: false } },
    { path: '/edit-server/s1/integrations' },
  )
  await user.click(await screen.findByRole('link', { name: 'Journal' }))
  expect(await screen.findByText('Aucun envoi pour le moment.')).toBeTruthy()
  expect(shownAddress()).toMatch(/\?section=deliveries$/)
})

it('keeps the confirmation open when deletion fails', async () => {
  await openVotifier([LISTENER], { votifier_configs: table([LISTENER], refusal('42501', 403)) })
  await press('Supprimer')
  const { question } = await openQuestion('Supprimer la configuration Votifier ?')
  await press('Supprimer', question)
  await toastSays('Impossible de supprimer', 'danger', 'Vous n’avez pas les droits nécessaires.')
  await press('Annuler', question)
  await dialogCloses()
})

it('disables the trial with unsaved changes', async () => {
  const { requestsOf } = await openVotifier([LISTENER], { 'functions/votifier-test': done })
  await screen.findByRole('form', { name: 'Votifier' })
  await write('Hôte', 'other.example')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /vote d’essai/ }).disabled).toBe(true)
  expect(requestsOf('functions/votifier-test')).toEqual([])
})
