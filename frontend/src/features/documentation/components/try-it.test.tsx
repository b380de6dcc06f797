import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { answers, persona } from '@/testing/answers'
import { renderPage } from '@/testing/render-page'
import { signInAsAda, signOut } from '@/testing/sign-in'
import { TryIt } from './try-it'

const TOKENS = ['5e6f9b1c-aaaa', '7d1a2b3c-bbbb']
const DESCRIPTION = {
  paths: {
    '/api/v1/servers/{server}/votes/{ip}': {
      get: {
        tags: ['votes'],
        parameters: [
          { name: 'server', in: 'path', required: true },
          { name: 'ip', in: 'path', required: true },
        ],
      },
    },
  },
}

afterEach(async () => {
  await signOut()
  cleanup()
  vi.unstubAllGlobals()
})

async function open() {
  answers({
    ...persona('player'),
    '/api/openapi.json': DESCRIPTION,
    servers_managed: [
      { id: 'a', name: 'L&#x27;Âge de Cuivre', api_token: TOKENS[0] },
      { id: 'b', name: 'Loupgarde', api_token: TOKENS[1] },
    ],
  })
  await signInAsAda()
  await renderPage(<TryIt />)
  await screen.findByRole('option', { name: /Loupgarde/ })
}

it('shows the owner’s token only on request', async () => {
  const user = userEvent.setup()
  await open()
  const field = screen.getByLabelText<HTMLInputElement>('Jeton ou identifiant du serveur')
  expect(field.type).toBe('password')
  expect(field.value).toBe(TOKENS[0])
  expect(document.body.textContent).not.toContain(TOKENS[0])
  await user.click(screen.getByRole('button', { name: 'Afficher le jeton' }))
  expect(field.type).toBe('text')
  expect(screen.getByText(`GET /api/v1/servers/${TOKENS[0]}/votes/203.0.113.1`)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Masquer le jeton' }))
  expect(document.body.textContent).not.toContain(TOKENS[0])
})

it('names the servers as their owner wrote them', async () => {
  await open()
  expect(screen.getByRole('option', { name: "L'Âge de Cuivre" })).toBeTruthy()
})
