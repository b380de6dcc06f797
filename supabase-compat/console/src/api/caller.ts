/** As whom a service is asked: the service itself, a role, or an account of the project. */
export type Caller = { kind: 'service' } | { kind: 'anon' } | { kind: 'authenticated'; user: string | null }

export const CALLER_KINDS = ['service', 'anon', 'authenticated'] as const

/** What says so in a request to the console. */
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

/** The same as parameters of a socket, whose headers a browser does not let us choose. */
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
