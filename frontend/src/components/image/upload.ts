/** Sends a file to an address that takes it, telling how far it is: `fetch` cannot. */
import { ApiError } from '@/lib/errors'

export interface Sending {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (share: number) => void
}

/** Sends a picture and gives the address it can be seen at. */
export type Upload = (picture: Blob, sending: Sending) => Promise<string>

/** Puts the file at a signed address. Rejects with an `ApiError`, or an `AbortError` when it was called off. */
export function putFile(address: string, file: Blob, { signal, onProgress }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    request.setRequestHeader('content-type', file.type)
    // Every picture has an address of its own: what was once seen there stays.
    request.setRequestHeader('cache-control', 'max-age=31536000')
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      if (request.status < 400) resolve()
      else reject(new ApiError('upload_refused', request.responseText, request.status))
    })
    request.addEventListener('error', () => reject(new ApiError('offline', 'No answer came', 0)))
    request.addEventListener('abort', () => reject(new DOMException('Called off', 'AbortError')))
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
