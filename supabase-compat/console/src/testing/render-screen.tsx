/** Renders the console at an address, with stubbed responses. */
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { whenSignedOut } from '@/api/client'
import { makeQueryClient } from '@/api/query-client'
import { sessionQuery, type Session } from '@/api/session'
import { routes } from '@/app/router'
import { startTexts, type Language } from '@/i18n'

export const SESSION: Session = {
  operator: { id: 'o1', email: 'ada@project.test', role: 'owner', second_factor: false, passkeys: 0 },
  project: { name: 'notes', version: '0.1.0', api_url: 'http://127.0.0.1:54321' },
  keys: { anon: 'anon-key' },
  services: ['auth', 'rest', 'storage', 'pg', 'logs', 'advisors', 'functions'],
}

export interface SentRequest {
  method: string
  /** Below `/console/api/`, with its parameters. */
  path: string
  headers: Headers
  body: unknown
}

type Answer = unknown | ((request: SentRequest) => unknown)

/** An answer that is not 200. */
export function refusal(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status })
}

/**
 * Responds by `METHOD path`, with or without the parameters of the path. Other requests get a 404,
 * and the test fails because the content is missing. Returns the sent requests.
 */
export function answerWith(answers: Record<string, Answer>): SentRequest[] {
  const sent: SentRequest[] = []
  const all: Record<string, Answer> = { 'GET session': SESSION, ...answers }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const path = url.replace('/console/api/', '')
    const method = init.method ?? 'GET'
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body
    const request = { method, path, headers: new Headers(init.headers), body }
    sent.push(request)
    const answer = all[`${method} ${path}`] ?? all[`${method} ${path.replace(/\?.*/, '')}`]
    const value: unknown = typeof answer === 'function' ? (answer as (one: SentRequest) => unknown)(request) : answer
    if (value instanceof Response) return value
    if (value === undefined)
      return new Response(`{"error":{"code":"not_found","message":"no ${path}"}}`, { status: 404 })
    return new Response(value === null ? null : JSON.stringify(value), { status: value === null ? 204 : 200 })
  })
  return sent
}

export async function renderAt(address: string, language: Language = 'en') {
  if (!i18next.isInitialized) await startTexts(language)
  await i18next.changeLanguage(language)
  await i18next.loadNamespaces(['shared', 'shell'])
  const client = makeQueryClient(() => undefined)
  whenSignedOut(() => client.setQueryData(sessionQuery.queryKey, null))
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const user = userEvent.setup()
  const view = render(
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...view, user, router, client }
}
