/** Solves proof-of-work challenges away from the page. One algorithm family each: PBKDF2 or plain SHA. */
import { deriveKey as deriveByPbkdf2 } from 'altcha-lib/algorithms/web/pbkdf2'
import { deriveKey as deriveBySha } from 'altcha-lib/algorithms/web/sha'
import { handler } from 'altcha-lib/workers/shared'

handler({
  deriveKey: (parameters, salt, password) =>
    parameters.algorithm.startsWith('PBKDF2/')
      ? deriveByPbkdf2(parameters, salt, password)
      : deriveBySha(parameters, salt, password),
})
