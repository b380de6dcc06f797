/** Uploads of files to the console. `fetch` reports no progress of uploads. */
import { ApiError, noteRefusal, refusalOf } from './client'

export interface UploadOptions {
  body: Blob
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Between 0 and 1. */
  onProgress: (progress: number) => void
}

/** Uploads a file and reports the progress. Returns the text of the response. */
export function sendWithProgress(
  url: string,
  { body, headers = {}, signal, onProgress }: UploadOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    for (const [name, value] of Object.entries({ 'x-console-request': '1', ...headers }))
      request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      if (request.status < 400) return resolve(request.responseText)
      const refusal = refusalOf(request.status, request.responseText)
      noteRefusal(refusal)
      reject(refusal)
    })
    request.addEventListener('error', () => reject(new ApiError(0, 'network', 'The console did not answer.')))
    request.addEventListener('abort', () => reject(signal?.reason as Error))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) return reject(signal.reason as Error)
    request.send(body)
  })
}
