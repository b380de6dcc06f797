/** Fetches the client of the rows: ahead of the first question that needs it, or with it. */
export const loadRowsClient = () => import('./rows-client')
