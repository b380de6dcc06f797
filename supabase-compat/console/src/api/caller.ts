/**
 * The identity of a request to a service: the service key, a role, or an account of the project.
 */
export type Caller = { kind: 'service' } | { kind: 'anon' } | { kind: 'authenticated'; user: string | null }

export const CALLER_KINDS = ['service', 'anon', 'authenticated'] as const

/** The headers with the identity for a request to the console. */
export function callerHeaders(caller: Caller): Record<string, string> {
  switch (caller.kind) {
    case 'service':
      return {}
    case 'anon':
      return { 'x-console-role': 'anon' }
    case 'authenticated':
      return caller.user ? { 'x-console-user': caller.user } : { 'x-console-role': 'authenticated' }
  }
}

/** The identity as parameters of a socket, because browsers cannot set headers there. */
export function callerParameters(caller: Caller): Record<string, string> {
  switch (caller.kind) {
    case 'service':
      return {}
    case 'anon':
      return { role: 'anon' }
    case 'authenticated':
      return caller.user ? { user: caller.user } : { role: 'authenticated' }
  }
}
