import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clearStage, LOADING, openServer, SERVER, setStage, stage } from '@/testing/server-stage'
import { ADA, signInAsAda } from '@/testing/sign-in'
import { ServerPage } from './server-page'

const PAGE = <ServerPage />
const user = userEvent.setup()

beforeEach(setStage)
afterEach(clearStage)

it('lets owners show their hidden server again', async () => {
  stage.servers = () => Response.json([])
  stage.hidden = () =>
    Response.json([
      {
        ...SERVER,
        owner_id: ADA.id,
        is_approved: true,
        is_hidden: true,
        hidden_reason: 'owner',
        is_sponsored: false,
        prestige_expires_at: null,
        rating_sum: 4,
      },
    ])
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByRole('heading', { level: 1, name: 'Astra & Co' })).toBeTruthy()
  expect(await screen.findByText('Masqué : vous seul voyez cette page.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Voter/ })).toBeNull()
  expect(stage.clicks).toEqual([])
  stage.servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  await user.click(screen.getByRole('button', { name: 'Afficher' }))
  expect(await screen.findByText('Votre serveur')).toBeTruthy()
  expect(screen.queryByText('Masqué : vous seul voyez cette page.')).toBeNull()
})

it('shows owners their place and daily figures', async () => {
  stage.servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  const bar = await screen.findByRole('region', { name: 'Votre serveur' }, LOADING)
  expect(within(bar).getByText('n° 2 sur Minecraft')).toBeTruthy()
  for (const [step, today, week] of [
    ['Visites', '3', '12 en 7 jours'],
    ['Copies de l’adresse', '1', '5 en 7 jours'],
    ['Votes', '1', '3 en 7 jours'],
  ] as const) {
    const figure = within(bar).getByText(step).parentElement
    await waitFor(() => expect(figure?.textContent).toBe(`${step}${today} aujourd’hui${week}`))
  }
  expect(within(bar).getByRole('link', { name: '1 avis sans réponse' }).getAttribute('href')).toContain('#reviews')
})
