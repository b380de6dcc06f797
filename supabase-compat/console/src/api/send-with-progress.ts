/** Uploads of files to the console. `fetch` reports no progress of uploads. */
import { ApiError, noteRefusal, refusalOf } from './client'

export interface SendingOptions {
  body: Blob
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Between 0 and 1. */
  onProgress: (part: number) => void
}

/** Uploads a file and reports the progress. Returns the text of the response. */
export function sendWithProgress(
  url: string,
  { body, headers = {}, signal, onProgress }: SendingOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest()
    sending.open('POST', url)
    for (const [name, value] of Object.entries({ 'x-console-request': '1', ...headers }))
      sending.setRequestHeader(name, value)
    sending.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    sending.addEventListener('load', () => {
      if (sending.status < 400) return resolve(sending.responseText)
      const refusal = refusalOf(sending.status, sending.responseText)
      noteRefusal(refusal)
      reject(refusal)
    })
    sending.addEventListener('error', () => reject(new ApiError(0, 'network', 'The console did not answer.')))
    sending.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => sending.abort(), { once: true })
    if (signal?.aborted) return reject(signal.reason as Error)
    sending.send(body)
  })
}
