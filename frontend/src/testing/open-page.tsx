/**
 * A whole page for a test: the services' responses, the session, and the address. For tests only.
 */
import { act, cleanup, waitFor } from '@testing-library/react'
import { useEffect, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { expect, vi } from 'vitest'
import { currentToast, dismissToast } from '@/components/ui/toast-store'
import type { Language } from '@/lib/i18n/languages'
import { answers, persona, type Answer } from './answers'
import { plain } from './controls'
import { renderPage } from './render-page'
import { signInAsAda, signOut } from './sign-in'

interface OpenOptions {
  /** By default nobody is signed in. */
  as?: Parameters<typeof persona>[0]
  path?: string
  language?: Language
}

let address = ''
let isSignedIn = false

/** Records the router's location. */
function Address(): null {
  const { pathname, search } = useLocation()
  useEffect(() => {
    address = pathname + search
  })
  return null
}

/** The current address. */
export const shownAddress = (): string => decodeURIComponent(address)

export async function openPage(page: ReactNode, known: Record<string, Answer>, { as, ...where }: OpenOptions = {}) {
  const api = answers({ ...(as && persona(as)), ...known })
  if (as) {
    await signInAsAda()
    isSignedIn = true
  }
  const rendered = await renderPage(
    <>
      {page}
      <Address />
    </>,
    where,
  )
  return {
    ...rendered,
    ...api,
    /** The bodies of write requests to a service; waits until `count` have been sent. */
    async sentTo(name: string, count = 1): Promise<unknown[]> {
      await waitFor(() => expect(sentOf(name)).toHaveLength(count))
      return sentOf(name).map(({ body }) => body)
    },
    /** The same requests, with their filters and methods. */
    sentOf,
    /** The last read of a table. */
    lastQuery: (name: string) => api.requestsOf(name).findLast(({ method }) => method === 'GET')?.query,
  }

  function sentOf(name: string) {
    return api.requestsOf(name).filter(({ method }) => method !== 'GET')
  }
}

/** For `afterEach`. */
export async function closePage(): Promise<void> {
  if (isSignedIn) await act(signOut)
  isSignedIn = false
  cleanup()
  dismissToast()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
}

/** Waits for a toast with this title, and the reason below it. */
export async function toastSays(title: string, tone?: 'success' | 'danger', reason?: string): Promise<void> {
  await waitFor(() => {
    const toast = currentToast()
    expect(toast?.open && plain(toast.title)).toBe(title)
    if (tone) expect(toast?.tone).toBe(tone)
    if (reason) expect(plain(toast?.description ?? '')).toBe(reason)
  })
}
