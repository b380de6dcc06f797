import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { clearStage, LOADING, openServer, REVIEW, SERVER, SERVER_ID, setStage, stage } from '@/testing/server-stage'
import { ADA, signInAsAda } from '@/testing/sign-in'
import { ServerPage } from './server-page'

const PAGE = <ServerPage />
const user = userEvent.setup()

beforeEach(setStage)
afterEach(clearStage)

const MINE = {
  id: 'mine',
  rating: 4,
  comment: 'Bonne &amp; vieille',
  is_anonymous: false,
  is_hidden: false,
  created_at: '2026-01-02T12:00:00Z',
}

it('asks guests to sign in before they review', async () => {
  await openServer(PAGE, '/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  expect(document.querySelector('[data-auth]')?.textContent).toBe('signIn')
  expect(screen.queryByRole('form', { name: 'Votre avis' })).toBeNull()
})

it('shows three reviews, then all of them', async () => {
  stage.listed = () => [1, 2, 3, 4, 5].map((n) => ({ ...REVIEW, id: `r${n}`, comment: `Avis ${n}` }))
  stage.servers = () => Response.json([{ ...SERVER, review_count: 5 }])
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('Avis 3')).toBeTruthy()
  expect(screen.queryByText('Avis 4')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Voir les 5 avis' }))
  expect(screen.getByText('Avis 5')).toBeTruthy()
})

it('publishes a review and focuses it', async () => {
  const sent: unknown[] = []
  stage.reviews = (_, body) => {
    sent.push(body)
    stage.own = () => Response.json([{ ...MINE, comment: 'Bonne équipe', is_anonymous: true }])
    return new Response(null, { status: 201 })
  }
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  const form = within(await screen.findByRole('form', { name: 'Votre avis' }, LOADING))
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  expect(await form.findByText('Choisissez une note.')).toBeTruthy()
  expect(form.getByText('Saisissez un commentaire.')).toBeTruthy()
  await user.click(form.getByRole('radio', { name: '4 étoiles sur 5' }))
  await user.type(form.getByLabelText('Votre commentaire'), ' Bonne équipe ')
  await user.click(form.getByLabelText('Publier sans mon nom'))
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  const published = await screen.findByText('Bonne équipe', { selector: 'p' })
  expect(published.closest('[tabindex="-1"]')).toBe(document.activeElement)
  expect(sent).toEqual([{ server_id: SERVER_ID, rating: 4, comment: 'Bonne équipe', is_anonymous: true }])
})

it('keeps the comment when a review is refused', async () => {
  stage.reviews = () => Response.json({ code: '23505', message: 'duplicate key' }, { status: 409 })
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Écrire un avis' }))
  const form = within(await screen.findByRole('form', { name: 'Votre avis' }, LOADING))
  await user.click(form.getByRole('radio', { name: '1 étoile sur 5' }))
  const comment = form.getByLabelText<HTMLTextAreaElement>('Votre commentaire')
  await user.type(comment, 'Encore')
  await user.click(form.getByRole('button', { name: 'Publier l’avis' }))
  expect(await form.findByText('Vous avez déjà donné votre avis sur ce serveur.')).toBeTruthy()
  expect(comment.value).toBe('Encore')
})

it('lets authors edit and delete their review', async () => {
  const sent: unknown[] = []
  stage.own = () => Response.json([MINE])
  stage.reviews = (method, body) => {
    sent.push([method, body])
    stage.own = () => Response.json(method === 'DELETE' ? [] : [{ ...MINE, comment: 'Neuve' }])
    return new Response(null, { status: 204 })
  }
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('Bonne & vieille')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Écrire un avis' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Modifier' }))
  const comment = await screen.findByLabelText<HTMLTextAreaElement>('Votre commentaire', {}, LOADING)
  expect(comment.value).toBe('Bonne & vieille')
  await user.clear(comment)
  await user.type(comment, 'Neuve')
  // The draft of a change is restored when the form is opened again.
  await user.click(screen.getByRole('button', { name: 'Annuler' }))
  await user.click(await screen.findByRole('button', { name: 'Modifier' }))
  const again = await screen.findByLabelText<HTMLTextAreaElement>('Votre commentaire')
  await waitFor(() => expect(again.value).toBe('Neuve'))
  await user.click(screen.getByRole('button', { name: 'Enregistrer' }))
  expect(await screen.findByText('Neuve', { selector: 'p' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Supprimer' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Supprimer votre avis\u202f?' }, LOADING))
  await user.click(question.getByRole('button', { name: 'Supprimer' }))
  expect(await screen.findByRole('button', { name: 'Écrire un avis' })).toBeTruthy()
  expect(sent).toEqual([
    ['PATCH', { rating: 4, comment: 'Neuve', is_anonymous: false }],
    ['DELETE', null],
  ])
})

it('shows the owner reply and edit mark', async () => {
  const changed = { ...REVIEW, updated_at: '2026-01-03T12:00:00Z' }
  stage.listed = () => [{ ...changed, answer: 'Merci &amp; à bientôt', answered_at: '2026-01-02T13:00:00Z' }]
  await openServer(PAGE, '/serveur/astra')
  expect(await screen.findByText('Merci & à bientôt')).toBeTruthy()
  expect(screen.getByText('Réponse du propriétaire')).toBeTruthy()
  expect(screen.getByText(/^modifié/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Répondre/ })).toBeNull()
})

it('lets owners add, edit and delete replies', async () => {
  const sent: unknown[] = []
  stage.servers = () => Response.json([{ ...SERVER, owner_id: ADA.id }])
  stage.answered = (method, body) => {
    sent.push([method, body])
    const answer = method === 'DELETE' ? null : method === 'PATCH' ? 'Encore merci' : 'Merci'
    stage.listed = () => [{ ...REVIEW, answer, answered_at: answer && '2026-01-02T13:00:00Z' }]
    return method === 'PATCH' ? Response.json({ review_id: 'r1' }) : new Response(null, { status: 201 })
  }
  await signInAsAda()
  await openServer(PAGE, '/serveur/astra')
  await user.click(await screen.findByRole('button', { name: 'Répondre à l’avis de Camille' }))
  const form = within(await screen.findByRole('form', { name: 'Répondre à l’avis de Camille' }, LOADING))
  await user.click(form.getByRole('button', { name: 'Publier la réponse' }))
  const words = form.getByLabelText<HTMLTextAreaElement>('Votre réponse')
  expect(words.getAttribute('aria-invalid')).toBe('true')
  await user.type(words, ' Merci ')
  await user.click(form.getByRole('button', { name: 'Publier la réponse' }))
  expect(await screen.findByText('Merci', { selector: 'p' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Répondre/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Modifier' }))
  const again = await screen.findByLabelText<HTMLTextAreaElement>('Votre réponse')
  expect(again.value).toBe('Merci')
  await user.clear(again)
  await user.type(again, 'Encore merci')
  await user.click(screen.getByRole('button', { name: 'Enregistrer' }))
  expect(await screen.findByText('Encore merci', { selector: 'p' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Supprimer' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Supprimer votre réponse\u202f?' }, LOADING))
  await user.click(question.getByRole('button', { name: 'Supprimer' }))
  expect(await screen.findByRole('button', { name: 'Répondre à l’avis de Camille' })).toBeTruthy()
  expect(sent).toEqual([
    ['POST', { review_id: 'r1', comment: 'Merci' }],
    ['PATCH', { comment: 'Encore merci' }],
    ['DELETE', null],
  ])
})
