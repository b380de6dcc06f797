import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentToast, dismissToast } from '@/components/ui/toast-store'
import { closeAuthDialog, openAuthDialog } from '@/lib/session/auth-dialog'
import { ApiError } from '@/lib/api/errors'
import { renderPage } from '@/testing/render-page'
import { AuthDialogHost } from './auth-dialog-host'

const { confirmAddress, signIn, signInWithProvider, signUp, requestReset, resendConfirmation } = vi.hoisted(() => ({
  confirmAddress: vi.fn(),
  signIn: vi.fn(),
  signInWithProvider: vi.fn(),
  signUp: vi.fn(),
  requestReset: vi.fn(),
  resendConfirmation: vi.fn(),
}))
vi.mock('./api/sign-in', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { signIn })
})
vi.mock('./api/sign-in-with-provider', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { signInWithProvider })
})
vi.mock('./api/sign-up', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { signUp })
})
vi.mock('./api/confirm-address', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { confirmAddress })
})
vi.mock('./api/request-reset', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { requestReset })
})
vi.mock('./api/resend-confirmation', async (original) => {
  const { sending } = await import('@/testing/sending')
  return sending(await original<object>(), { resendConfirmation })
})

const user = userEvent.setup()

beforeEach(() => {
  const settings = { external: { discord: true }, disable_signup: false }
  vi.stubGlobal(
    'fetch',
    vi.fn().mockImplementation(async () => Response.json(settings)),
  )
  vi.mocked(signInWithProvider).mockReset().mockResolvedValue(undefined)
  vi.mocked(signIn).mockReset().mockResolvedValue('done')
  vi.mocked(confirmAddress).mockReset().mockResolvedValue(undefined)
  vi.mocked(signUp).mockReset().mockResolvedValue('confirm')
  vi.mocked(requestReset).mockReset().mockResolvedValue(undefined)
})
afterEach(() => {
  act(closeAuthDialog)
  dismissToast()
})

async function openAt(tab: 'signIn' | 'signUp' | 'reset', language: 'fr' | 'en' | 'es' = 'fr'): Promise<void> {
  await renderPage(<AuthDialogHost />, { language })
  act(() => openAuthDialog(tab))
}

it('opens on the tab that was asked for', async () => {
  await openAt('signUp')
  expect(screen.getByRole('tab', { name: 'Inscription', selected: true })).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Créer un compte' })).toBeTruthy()
})

it('signs in with what was typed, and closes', async () => {
  await openAt('signIn')
  await user.type(screen.getByLabelText('Adresse e-mail'), ' ada@example.org ')
  await user.type(screen.getByLabelText('Mot de passe'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Se connecter' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(vi.mocked(signIn).mock.calls[0]?.[0]).toEqual({ email: 'ada@example.org', password: 'secret' })
})

it('reproaches each field beside it and sends nothing', async () => {
  await openAt('signUp')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada')
  await user.type(screen.getByLabelText('Mot de passe'), '12345')
  await user.click(screen.getByRole('button', { name: 'Créer mon compte' }))
  const username = screen.getByLabelText('Nom d’utilisateur')
  expect(username.getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(username)
  expect(screen.getByText('Ce champ est obligatoire.')).toBeTruthy()
  expect(screen.getByText('Saisissez une adresse e-mail complète.')).toBeTruthy()
  expect(screen.getByText('Au moins 6 caractères.')).toBeTruthy()
  expect(signUp).not.toHaveBeenCalled()
})

it('sign-up links to terms and privacy policy', async () => {
  await openAt('signUp', 'es')
  const link = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
  expect(link('Condiciones de uso')).toBe('/es/terms')
  expect(link('Privacidad')).toBe('/es/privacy')
})

it('shows closed registration instead of the form', async () => {
  vi.stubGlobal('fetch', async (input: string | URL) =>
    Response.json(String(input).includes('setting_key=eq.registration_open') ? [{ setting_value: 'false' }] : {}),
  )
  await openAt('signUp')
  expect(await screen.findByText(/Les inscriptions sont fermées/)).toBeTruthy()
  expect(screen.queryByLabelText('Nom d’utilisateur')).toBeNull()
})

it('keeps username and email across tabs', async () => {
  await openAt('signUp')
  await user.type(screen.getByLabelText('Nom d’utilisateur'), 'Ada')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada@example.org')
  await user.click(screen.getByRole('tab', { name: 'Connexion' }))
  expect(screen.getByLabelText<HTMLInputElement>('Adresse e-mail').value).toBe('ada@example.org')
  await user.click(screen.getByRole('tab', { name: 'Inscription' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Nom d’utilisateur')).value).toBe('Ada')
  expect(screen.getByLabelText<HTMLInputElement>('Adresse e-mail').value).toBe('ada@example.org')
})

it('reports a taken username beside its field', async () => {
  vi.mocked(signUp).mockRejectedValue(new ApiError('username_taken', 'username_taken', 409))
  await openAt('signUp', 'es')
  await user.type(screen.getByLabelText('Nombre de usuario'), 'Ada')
  await user.type(screen.getByLabelText('Correo electrónico'), 'ada@example.org')
  await user.type(screen.getByLabelText('Contraseña'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Crear mi cuenta' }))
  const name = screen.getByLabelText<HTMLInputElement>('Nombre de usuario')
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('Este nombre de usuario ya está en uso.')).toBeTruthy()
  expect(document.activeElement).toBe(name)
  expect(name.value).toBe('Ada')
})

it('shows why sign-in failed and keeps the input', async () => {
  vi.mocked(signIn).mockRejectedValue(new ApiError('invalid_credentials', 'Invalid login credentials', 400))
  await openAt('signIn', 'en')
  await user.type(screen.getByLabelText('Email address'), 'ada@example.org')
  await user.type(screen.getByLabelText('Password'), 'wrong!')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(await screen.findByText('Wrong email or password.')).toBeTruthy()
  expect(currentToast()).toMatchObject({
    tone: 'danger',
    title: 'Sign-in failed',
    description: 'Error signing in. Check your credentials.',
  })
  expect(screen.getByLabelText<HTMLInputElement>('Email address').value).toBe('ada@example.org')
})

it('shows a generic message for unknown error codes', async () => {
  vi.mocked(signIn).mockRejectedValue(new ApiError('hook_refused', 'Not today', 400))
  await openAt('signIn', 'es')
  await user.type(screen.getByLabelText('Correo electrónico'), 'ada@example.org')
  await user.type(screen.getByLabelText('Contraseña'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Iniciar sesión' }))
  await waitFor(() =>
    expect(currentToast()).toMatchObject({
      title: 'Error al iniciar sesión',
      description: 'Se ha producido un error (código hook_refused). Inténtalo de nuevo en un momento.',
    }),
  )
})

it('asks to confirm the email after sign-up', async () => {
  await openAt('signUp', 'es')
  await user.type(screen.getByLabelText('Nombre de usuario'), 'Ada')
  await user.type(screen.getByLabelText('Correo electrónico'), 'ada@example.org')
  await user.type(screen.getByLabelText('Contraseña'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Crear mi cuenta' }))
  expect(await screen.findByText(/Acabamos de enviar un correo a ada@example.org/)).toBeTruthy()
  expect(currentToast()).toMatchObject({ tone: 'success', title: 'Cuenta creada' })
  expect(vi.mocked(signUp).mock.calls[0]?.[0]).toEqual({
    username: 'Ada',
    email: 'ada@example.org',
    password: 'secret',
    language: 'es',
  })
})

it('confirms the address after a wrong code', async () => {
  vi.mocked(confirmAddress).mockRejectedValueOnce(new ApiError('otp_expired', 'Token has expired or is invalid', 403))
  await openAt('signUp')
  await user.type(screen.getByLabelText('Nom d’utilisateur'), 'Ada')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada@example.org')
  await user.type(screen.getByLabelText('Mot de passe'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Créer mon compte' }))
  const code = await screen.findByLabelText<HTMLInputElement>('Code reçu par e-mail')
  await user.type(code, '000 000')
  await user.click(screen.getByRole('button', { name: 'Confirmer mon adresse' }))
  expect(await screen.findByText('Code incorrect ou expiré.')).toBeTruthy()
  expect(code.value).toBe('')
  await user.type(code, '888175')
  await user.click(screen.getByRole('button', { name: 'Confirmer mon adresse' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(vi.mocked(confirmAddress).mock.calls[1]?.[0]).toEqual({ email: 'ada@example.org', code: '888175' })
})

it.each([
  ['confirmed', 'Adresse confirmée', 'Connectez-vous pour continuer.'],
  ['spent', 'Ce lien n’est plus valable', /Il a expiré ou a déjà servi/],
  ['banned', 'Compte exclu', /Ce compte est exclu/],
] as const)('says what became of a link: %s', async (notice, title, text) => {
  await renderPage(<AuthDialogHost />)
  act(() => openAuthDialog('signIn', notice))
  expect(screen.getByRole('dialog', { name: title })).toBeTruthy()
  expect(screen.getByText(text)).toBeTruthy()
  expect(screen.getByLabelText('Adresse e-mail')).toBeTruthy()
})

it('sends a reset link, says so and closes', async () => {
  await openAt('reset')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada@example.org')
  await user.click(screen.getByRole('button', { name: 'Envoyer le lien' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(currentToast()).toMatchObject({ tone: 'success', title: 'E-mail envoyé' })
})

it('forgets its fields when it closes', async () => {
  await openAt('signIn')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada@example.org')
  await user.click(screen.getByRole('button', { name: 'Fermer' }))
  act(() => openAuthDialog('signIn'))
  expect(screen.getByLabelText<HTMLInputElement>('Adresse e-mail').value).toBe('')
})

it('shows the password on request', async () => {
  await openAt('signIn')
  const password = screen.getByLabelText<HTMLInputElement>('Mot de passe')
  expect(password.type).toBe('password')
  await user.click(screen.getByRole('button', { name: 'Afficher le mot de passe' }))
  expect(password.type).toBe('text')
})

it('unconfirmed sign-in offers another confirmation email', async () => {
  vi.mocked(signIn).mockRejectedValue(new ApiError('email_not_confirmed', 'Email not confirmed', 400))
  vi.mocked(resendConfirmation).mockResolvedValue(undefined)
  await openAt('signIn', 'en')
  await user.type(screen.getByLabelText('Email address'), 'ada@example.org')
  await user.type(screen.getByLabelText('Password'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
  await user.click(await screen.findByRole('button', { name: 'Resend the email' }))
  await waitFor(() => expect(currentToast()).toMatchObject({ tone: 'success', title: 'Email sent again' }))
  expect(vi.mocked(resendConfirmation).mock.calls[0]?.[0]).toBe('ada@example.org')
})

it('provider sign-in reports a disabled provider', async () => {
  vi.mocked(signInWithProvider).mockRejectedValue(new ApiError('provider_disabled', 'Provider is not enabled', 400))
  await openAt('signIn')
  await user.click(await screen.findByRole('button', { name: 'Continuer avec Discord' }))
  expect(vi.mocked(signInWithProvider).mock.calls[0]?.[0]).toBe('discord')
  await waitFor(() =>
    expect(currentToast()).toMatchObject({ description: 'Ce mode de connexion n’est pas proposé ici.' }),
  )
})

it('asks for the second factor and allows cancelling', async () => {
  vi.mocked(signIn).mockResolvedValue('secondStep')
  await openAt('signIn')
  await user.type(screen.getByLabelText('Adresse e-mail'), 'ada@example.org')
  await user.type(screen.getByLabelText('Mot de passe'), 'secret')
  await user.click(screen.getByRole('button', { name: 'Se connecter' }))
  expect(await screen.findByRole('dialog', { name: 'Vérification en deux étapes' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Annuler et se déconnecter' }))
  expect(screen.queryByRole('dialog')).toBeNull()
})
