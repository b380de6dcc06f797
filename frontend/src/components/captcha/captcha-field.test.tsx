import { useQuery } from '@tanstack/react-query'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { captchaFailure } from '@/entities/captcha/queries'
import { ApiError } from '@/lib/api/errors'
import { press } from '@/testing/controls'
import { closePage, openPage } from '@/testing/open-page'
import { CaptchaField } from './captcha-field'
import { captchaApi, type CaptchaApi } from './captcha-script'

const SCOPE = { purpose: 'vote', serverId: 's1' } as const
const solve = vi.fn<() => Promise<{ payload: string; expiresAt: number }>>()

function Trial() {
  const captcha = useQuery({ queryKey: ['solved'], queryFn: solve })
  return <CaptchaField scope={SCOPE} captcha={captcha} />
}

afterEach(async () => {
  await closePage()
  document.head.replaceChildren()
})

it('shows progress and completion of the bot check', async () => {
  let give = (_: { payload: string; expiresAt: number }): void => {}
  solve.mockReturnValueOnce(new Promise((resolve) => (give = resolve)))
  await openPage(<Trial />, {})
  expect(screen.getByRole('status').textContent).toBe('Vérification anti-robot en cours…')
  give({ payload: 'p', expiresAt: 0 })
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Vérification anti-robot terminée'))
  expect(screen.queryByRole('button')).toBeNull()
})

it.each([
  [new ApiError('offline', 'x', 0), 'Vous êtes hors ligne, ou le site est injoignable.'],
  [new ApiError('too_many', 'x', 429), 'Trop de demandes depuis votre connexion. Patientez une minute.'],
  [new ApiError('x', 'x', 503), 'Le site ne répond pas pour le moment.'],
  [new Error('no worker'), 'Votre navigateur n’a pas terminé la vérification anti-robot.'],
])('shows the error and retries', async (cause, words) => {
  solve.mockReset().mockRejectedValueOnce(cause).mockResolvedValue({ payload: 'p', expiresAt: 0 })
  await openPage(<Trial />, {})
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(words))
  await press('Réessayer')
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Vérification anti-robot terminée'))
})

it.each([
  ['offline', 0, 'offline'],
  ['over_request_rate_limit', 429, 'tooMany'],
  ['unavailable', 500, 'down'],
  ['captcha_needed', 400, 'failed'],
] as const)('tells %s (%i) from the others', (code, status, kind) => {
  expect(captchaFailure(new ApiError(code, 'x', status))).toBe(kind)
})

/** The script elements that were added; a test fetches nothing. */
function scripts(): HTMLScriptElement[] {
  const scriptElements: HTMLScriptElement[] = []
  vi.spyOn(document.head, 'append').mockImplementation(
    (script) => void scriptElements.push(script as HTMLScriptElement),
  )
  return scriptElements
}
const comes = (script: HTMLScriptElement): void => {
  const ready = new URL(script.src).searchParams.get('onload') ?? ''
  ;(window as unknown as Record<string, () => void>)[ready]?.()
}

it('reloads the provider script only after a failure', async () => {
  const scriptElements = scripts()
  const missed = captchaApi('hcaptcha')
  scriptElements[0]?.dispatchEvent(new Event('error'))
  await expect(missed).rejects.toMatchObject({ code: 'captcha_unloaded' })
  const empty = captchaApi('hcaptcha')
  comes(scriptElements[1]!)
  // The script loaded, but without the expected interface.
  await expect(empty).rejects.toMatchObject({ code: 'captcha_unloaded' })
  const api: CaptchaApi = { render: vi.fn(), reset: vi.fn(), remove: vi.fn() }
  vi.stubGlobal('hcaptcha', api)
  const both = Promise.all([captchaApi('hcaptcha'), captchaApi('hcaptcha')])
  comes(scriptElements[2]!)
  expect(await both).toEqual([api, api])
  expect(scriptElements).toHaveLength(3)
  expect(scriptElements[0]?.src).toMatch(/^https:\/\/js\.hcaptcha\.com\/1\/api\.js\?render=explicit&onload=/)
})
