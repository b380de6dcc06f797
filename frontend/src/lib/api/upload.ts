/**
 * Uploads images to the site's bucket, each to a new address, so that an address never changes its
 * content.
 */
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

/** Uploads an image and returns its address. */
export type Upload = (picture: Blob, sending: UploadOptions) => Promise<string>

/**
 * Uploads images below a folder: the service signs a URL for each, so that progress can be
 * reported.
 */
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

/**
 * Deletes images that are not used any more, if they are below the folder. Nothing waits for it.
 */
export function removePictures(folder: string, addresses: readonly string[]): void {
  const paths = addresses.flatMap((address) => address.split(`/object/public/${BUCKET}/`)[1] ?? [])
  const ownPaths = paths.filter((path) => path.startsWith(`${folder}/`))
  if (ownPaths.length === 0) return
  void import('./storage').then(({ storage }) => storage.from(BUCKET).remove(ownPaths)).catch(() => {})
}

/** The path without the site's own origin, which may change. */
function onThisSite(address: string): string {
  const url = new URL(address, window.location.origin)
  return url.origin === window.location.origin ? url.pathname : url.href
}

/**
 * Uploads the file to a signed URL with progress events, which `fetch` does not have. Rejects with
 * an `ApiError`, or an `AbortError` after a cancellation.
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
