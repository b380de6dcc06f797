/** Pictures of the site, in its bucket, each at an address of its own: what was once seen there stays. */
import { ApiError, toApiError } from './errors'

const BUCKET = 'server-images'
const ENDINGS: Readonly<Record<string, string>> = {
  'image/webp': 'webp',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
}

export interface UploadOptions {
  signal: AbortSignal
  /** From 0 to 1. */
  onProgress: (share: number) => void
}

/** Sends a picture and gives the address it can be seen at. */
export type Upload = (picture: Blob, sending: UploadOptions) => Promise<string>

/** Sends pictures below a folder: the service signs an address to put each at, so that its progress can be told. */
export const uploadTo =
  (folder: string, prefix = ''): Upload =>
  async (picture, sending) => {
    const ending = ENDINGS[picture.type]
    if (ending === undefined) throw new ApiError('upload_refused', 'Not a picture', 415)
    const bucket = (await import('./storage')).storage.from(BUCKET)
    const path = `${folder}/${prefix}${crypto.randomUUID()}.${ending}`
    const { data, error } = await bucket.createSignedUploadUrl(path)
    if (error !== null) throw toApiError(error)
    await putFile(data.signedUrl, picture, sending)
    return onThisSite(bucket.getPublicUrl(path).data.publicUrl)
  }

/** Takes away pictures that nothing shows any more, as far as they lie below the folder. Nobody waits for it. */
export function removePictures(folder: string, addresses: readonly string[]): void {
  const paths = addresses.flatMap((address) => address.split(`/object/public/${BUCKET}/`)[1] ?? [])
  const own = paths.filter((path) => path.startsWith(`${folder}/`))
  if (own.length === 0) return
  void import('./storage').then(({ storage }) => storage.from(BUCKET).remove(own)).catch(() => {})
}

/** Without the site's own address, which may change. */
function onThisSite(address: string): string {
  const url = new URL(address, window.location.origin)
  return url.origin === window.location.origin ? url.pathname : url.href
}

/**
 * Puts the file at a signed address, telling how far it is, which `fetch` cannot. Rejects with an `ApiError`, or an
 * `AbortError` when it was called off.
 */
function putFile(address: string, file: Blob, { signal, onProgress }: UploadOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', address)
    request.setRequestHeader('content-type', file.type)
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
