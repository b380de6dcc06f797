/** Solves proof-of-work challenges away from the page. */
import { handler } from 'altcha-lib/workers/shared'
import { deriveKey } from './derive-key'

handler({ deriveKey })
