import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { closeVoteDialog, openVoteDialog } from '@/entities/vote/dialog'
import { answers } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import type { WidgetOptions } from '@/components/captcha/captcha-script'
import { VoteDialogHost } from './vote-dialog-host'

vi.mock('@/lib/config', async (original) => {
  const known = await original<typeof import('@/lib/config')>()
  return { ...known, config: { ...known.config, captcha: 'turnstile', captchaSiteKey: 'our-key' } }
})

const SERVER = { id: 'a9d2b8de-0000-4000-8000-000000000001', name: 'Astra', logoUrl: null, monthlyVotes: 41 }
const user = userEvent.setup()
const widget = {
  render: vi.fn<(place: HTMLElement, options: WidgetOptions) => string>(),
  reset: vi.fn(),
  remove: vi.fn(),
}
const options = (): WidgetOptions => widget.render.mock.calls.at(-1)![1]

/** The script elements that were added; a test fetches nothing. */
const scripts: HTMLScriptElement[] = []
const waitForScripts = (count: number) => waitFor(() => expect(scripts).toHaveLength(count), { timeout: 5000 })

/** Simulates that the provider's script has loaded: defines its global. */
function comes(script: HTMLScriptElement): void {
  const ready = new URL(script.src).searchParams.get('onload')!
  vi.stubGlobal('turnstile', widget)
  act(() => (window as unknown as Record<string, () => void>)[ready]!())
}

beforeEach(() => {
  localStorage.clear()
  widget.render.mockReset().mockReturnValue('widget')
  widget.reset.mockReset()
  scripts.length = 0
  vi.spyOn(document.head, 'append').mockImplementation((script) => void scripts.push(script as HTMLScriptElement))
})
afterEach(() => {
  act(closeVoteDialog)
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('sends the token of the provider widget', async () => {
  let refuses = true
  const api = answers(({ name }) => {
    if (name !== 'functions/vote') return Response.json([])
    const refusal = { success: false, code: 'captcha_failed', message: 'The captcha was not passed' }
    return refuses
      ? Response.json(refusal, { status: 400 })
      : Response.json({ success: false, code: 'banned' }, { status: 403 })
  })
  await renderPage(<VoteDialogHost />)
  act(() => openVoteDialog(SERVER))
  await waitForScripts(1)
  act(() => void scripts[0]!.dispatchEvent(new Event('error')))
  expect(await screen.findByText(/Impossible d’afficher la vérification/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Réessayer' }))
  await waitForScripts(2)
  expect(scripts[1]!.src).toContain('https://challenges.cloudflare.com/turnstile/')
  comes(scripts[1]!)
  await waitFor(() => expect(widget.render).toHaveBeenCalled())
  expect(options()).toMatchObject({ sitekey: 'our-key', language: 'fr' })

  await user.type(screen.getByLabelText('Votre pseudo en jeu'), 'Ada')
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText('Terminez d’abord la vérification anti-robot.')).toBeTruthy()
  expect(api.requestsOf('functions/vote')).toEqual([])

  act(() => options().callback('token 1'))
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText(/La vérification anti-robot a expiré/)).toBeTruthy()
  expect(api.requestsOf('functions/vote').map(({ body }) => body)).toEqual([
    { serverId: SERVER.id, nickname: 'Ada', captcha: 'token 1' },
  ])
  await waitFor(() => expect(widget.reset).toHaveBeenCalledWith('widget'))

  refuses = false
  act(() => options().callback('token 2'))
  await user.click(screen.getByRole('button', { name: 'Voter maintenant' }))
  expect(await screen.findByText(/suspendus/)).toBeTruthy()
  expect(api.requestsOf('functions/vote').at(-1)!.body).toMatchObject({ captcha: 'token 2' })
})
