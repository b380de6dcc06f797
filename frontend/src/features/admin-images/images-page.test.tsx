import { screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { done, refusal, table, type Answer } from '@/testing/answers'
import { openQuestion, plain, press } from '@/testing/controls'
import { closePage, openPage, toastSays } from '@/testing/open-page'
import { ImagesPage } from './images-page'

const run = (id: string, rest: object = {}) => ({
  id,
  retries_failed: false,
  total: 2000,
  optimized: 900,
  skipped: 300,
  failed: 34,
  bytes_before: 5_000_000,
  bytes_after: 3_000_000,
  is_stopped: false,
  started_at: '2026-11-20T10:05:00Z',
  finished_at: '2026-11-20T10:30:00Z',
  ...rest,
})
const FAILURES = [
  { name: 'u1/logo (1).png', reason: 'too_large', checked_at: '2026-11-20T10:10:00Z' },
  { name: 'u2/banner.png', reason: 'a_later_one', checked_at: '2026-11-20T10:09:00Z' },
]

const open = (runs: Answer, known: Record<string, Answer> = {}) =>
  openPage(<ImagesPage />, {
    image_runs: runs,
    image_checks: () => Response.json(FAILURES, { headers: { 'content-range': '*/1234' } }),
    'rpc/start_image_optimization': done,
    'rpc/stop_image_optimization': done,
    ...known,
  })

const region = async (name: string) => within(await screen.findByRole('region', { name }))

afterEach(closePage)

it('offers to begin where it never ran', async () => {
  const { sentTo } = await open(table([]))
  expect(await screen.findByText('Aucune optimisation pour le moment.')).toBeTruthy()
  expect(screen.getByText('Inactif')).toBeTruthy()
  await press('Optimiser les images')
  expect(await sentTo('rpc/start_image_optimization')).toEqual([{ p_failed_only: false }])
})

it('says what the last run came to', async () => {
  await open(table([run('r1')]))
  const now = await region('Optimiseur')
  const tiles = now.getAllByRole('term').map(({ parentElement }) => plain(parentElement?.textContent ?? ''))
  expect(tiles).toEqual([
    'Images2 000',
    'Optimisées900',
    'Laissées telles quelles300',
    'En échec34',
    'Espace gagné2 Mo40 % de moins',
  ])
  expect(now.queryByRole('progressbar')).toBeNull()
})

it('lists ended runs with outcome and savings', async () => {
  await open(
    table([run('r1', { finished_at: null }), run('r2', { is_stopped: true }), run('r3', { retries_failed: true })]),
  )
  const history = await region('Dernières optimisations')
  const lines = history.getAllByRole('listitem').map(({ textContent }) => plain(textContent))
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^20 novembre 2026 \d\d:05Arrêtée.*Images examinées : 2 000\./)
  expect(lines[1]).toMatch(/Terminée.*Images réessayées : 2 000.*Gain : 2 Mo\./)
})

it('shows run progress without offering another run', async () => {
  await open(table([run('r1', { finished_at: null })]))
  const bar = await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'En cours' })
  expect([bar.value, bar.max]).toEqual([1234, 2000])
  expect(plain(bar.getAttribute('aria-valuetext') ?? '')).toBe('Images : 1 234 sur 2 000')
  expect(screen.queryByRole('button', { name: 'Optimiser les images' })).toBeNull()
  expect(await screen.findByText('u2/banner.png')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Réessayer celles-ci' })).toBeNull()
})

it('confirms before stopping and reports a failure', async () => {
  let answer: () => Response = refusal('42501', 403)
  const { sentOf, sentTo } = await open(table([run('r1', { finished_at: null })]), {
    'rpc/stop_image_optimization': () => answer(),
  })
  await press('Arrêter')
  const { question } = await openQuestion('Arrêter l’optimisation ?')
  expect(sentOf('rpc/stop_image_optimization')).toEqual([])
  await press('Arrêter', question)
  await toastSays('Impossible d’arrêter l’optimisation', 'danger')
  answer = done
  await press('Arrêter', question)
  await sentTo('rpc/stop_image_optimization', 2)
})

it('lists failed images with reasons and total', async () => {
  const { requestsOf } = await open(table([run('r1')]))
  const failures = await region('Images en échec')
  const lines = (await failures.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(lines).toEqual([
    'u1/logo (1).pngElle a trop de pixels pour être traitée.',
    'u2/banner.pngImpossible de lire son fichier.',
  ])
  expect(failures.getByText((text) => plain(text).startsWith('Impossible d’optimiser 1 234 images.'))).toBeTruthy()
  expect(failures.getByRole('link', { name: 'u1/logo (1).png' }).getAttribute('href')).toBe(
    '/storage/v1/object/public/server-images/u1/logo%20(1).png',
  )
  expect(requestsOf('image_checks')[0]?.query.get('state')).toBe('eq.failed')
})

it('tries those that failed again, and them alone', async () => {
  const { sentTo } = await open(table([run('r1')]), { 'rpc/start_image_optimization': refusal('55006', 400) })
  await press('Réessayer celles-ci')
  expect(await sentTo('rpc/start_image_optimization')).toEqual([{ p_failed_only: true }])
  await toastSays('Impossible de lancer l’optimisation', 'danger', 'C’est déjà en cours.')
})

it('keeps run history when failures cannot load', async () => {
  await open(table([run('r1')]), { image_checks: refusal('57014', 500) })
  expect(await screen.findByText('Impossible de charger les échecs.')).toBeTruthy()
  expect(screen.getByText('Dernières optimisations')).toBeTruthy()
  await closePage()
  await open(refusal('57014', 500))
  expect(await screen.findByText('Impossible de charger l’état de l’optimiseur.')).toBeTruthy()
})
