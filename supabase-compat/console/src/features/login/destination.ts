/** Where to go after signing in: only to paths of the console itself. */
export const destinationOf = (next: string | null) => (next && /^\/(?![/\\])/.test(next) ? next : '/overview')
