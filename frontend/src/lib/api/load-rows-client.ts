/** Loads the client for rows, before the first query that needs it or with it. */
export const loadRowsClient = () => import('./rows-client')
