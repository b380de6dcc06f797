/** The session of the signed-in operator, for every screen inside the shell. */
import { createContext, use } from 'react'
import type { Session } from '@/api/session'

const SessionContext = createContext<Session | null>(null)
export const SessionProvider = SessionContext.Provider

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession outside of the shell')
  return session
}

/** Whether the operator may change anything. */
export function useMayChange(): boolean {
  return useSession().operator.role !== 'read_only'
}
