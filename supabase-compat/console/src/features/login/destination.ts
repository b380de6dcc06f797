/** The destination after signing in: only paths of the console itself. */
export const destinationOf = (next: string | null) => (next && /^\/(?![/\\])/.test(next) ? next : '/overview')
