import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast } from '@/components/ui/toast-store'
import { closeAuthDialog, useAuthDialog } from '@/lib/session/auth-dialog'
import { closeReportDialog, useAskToReport } from '@/entities/report/dialog'
import { useSession } from '@/lib/session/session'
import { answers, persona, refused } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { ADA, signInAsAda, signOut } from '@/testing/sign-in'
import { ReportDialogHost } from './report-dialog-host'

const SERVER = { kind: 'server', id: 'a9d2b8de-0000-4000-8000-000000000001', name: 'Astra' } as const

const user = userEvent.setup()
let sent: unknown[]
let status: number

beforeEach(() => {
  sent = []
  status = 201
  answers({
    ...persona('player'),
    reports({ body }) {
      sent.push(body)
      return status === 201 ? new Response(null, { status }) : refused(status === 409 ? '23505' : '42501', status)
    },
  })
})
afterEach(async () => {
  act(closeReportDialog)
  act(closeAuthDialog)
  localStorage.clear()
  status = 201
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

/** A page with the button that opens the dialog. */
function Page() {
  const askToReport = useAskToReport()
  const auth = useAuthDialog()
  const { user: who } = useSession()
  return (
    <>
      {who && <p>Ada ici</p>}
      {auth !== null && <p>Connexion ouverte</p>}
      <button type="button" onClick={() => askToReport(SERVER)}>
        Signaler
      </button>
      <ReportDialogHost />
    </>
  )
}

async function open(): Promise<void> {
  await signInAsAda()
  await renderPage(<Page />)
  await screen.findByText('Ada ici')
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  await screen.findByRole('dialog', { name: 'Signaler Astra' })
}

it('keeps the draft across a new sign-in', async () => {
  await open()
  await user.click(screen.getByRole('radio', { name: 'Autre motif' }))
  await user.type(screen.getByRole('textbox'), 'Adresse volée')
  await act(signOut)
  expect(await screen.findByText('Connexion ouverte')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(signInAsAda)
  await screen.findByRole('dialog', { name: 'Signaler Astra' })
  expect(await screen.findByDisplayValue('Adresse volée')).toBeTruthy()
})

it('opens for guests after they sign in', async () => {
  await renderPage(<Page />)
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  expect(screen.getByText('Connexion ouverte')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  await act(signInAsAda)
  act(closeAuthDialog)
  expect(await screen.findByRole('dialog', { name: 'Signaler Astra' })).toBeTruthy()
})

it('discards the report when sign-in is dismissed', async () => {
  await renderPage(<Page />)
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  act(closeAuthDialog)
  await act(signInAsAda)
  await screen.findByText('Ada ici')
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('requires a reason and its details', async () => {
  await open()
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  expect(screen.getByText('Choisissez un motif.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Autre motif' }))
  expect(screen.queryByText('Choisissez un motif.')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  expect(screen.getByText('Précisez le motif.')).toBeTruthy()
  expect(sent).toEqual([])
})

it('sends the report, says so and closes', async () => {
  await open()
  await user.click(screen.getByRole('radio', { name: 'Autre motif' }))
  await user.type(screen.getByLabelText('Précisez'), ' Joueurs inventés ')
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(currentToast()).toMatchObject({ tone: 'success', title: 'Signalement envoyé' })
  expect(sent).toEqual([
    {
      server_id: SERVER.id,
      comment_id: null,
      reporter_id: ADA.id,
      reason: 'other',
      custom_reason: 'Joueurs inventés',
      status: 'pending',
    },
  ])
})

it('stays open when it could not be sent', async () => {
  await open()
  status = 403
  await user.click(screen.getByRole('radio', { name: 'Faux serveur' }))
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  await waitFor(() =>
    expect(currentToast()).toMatchObject({ tone: 'danger', title: 'Erreur lors de l’envoi du signalement' }),
  )
  expect(screen.getByRole('dialog')).toBeTruthy()
})

it('counts characters and restores the closed draft', async () => {
  await open()
  await user.click(screen.getByRole('radio', { name: 'Autre motif' }))
  await user.click(screen.getByLabelText('Précisez'))
  await user.paste('x'.repeat(501))
  expect(screen.getByText('501 / 500')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  expect(await screen.findByText('500 caractères au maximum.')).toBeTruthy()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Signaler' }))
  expect(await screen.findByText('Nous avons retrouvé votre brouillon.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('Précisez').value).toHaveLength(501)
})

it('says that the same thing was reported before', async () => {
  await open()
  status = 409
  await user.click(screen.getByRole('radio', { name: 'Faux serveur' }))
  await user.click(screen.getByRole('button', { name: 'Envoyer le signalement' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ title: 'Déjà signalé' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
