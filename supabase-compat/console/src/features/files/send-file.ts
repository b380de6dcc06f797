/** Sends one file in parts, by the tus protocol: a part that was lost is sent again, and what arrived stays. */
import * as tus from 'tus-js-client'
import { ApiError, noteRefusal, refusalOf, serviceUrl } from '@/api/client'

/** Bytes of a part. */
const PART = 6 * 1024 * 1024
/** Milliseconds before each further attempt at a part. */
const ATTEMPTS = [0, 1000, 3000, 5000]

export interface FileOrder {
  bucket: string
  key: string
  file: File
  isReplacing: boolean
  /** Where an earlier attempt goes on. */
  url: string | undefined
  /** Where this attempt would go on. */
  onUrl: (url: string) => void
  /** Between 0 and 1. */
  onProgress: (part: number) => void
  onDone: () => void
  onError: (error: ApiError) => void
}

export interface SendingFile {
  /** Goes on where it stopped. */
  resume: () => void
  /** Ends it, and what arrived is deleted. */
  cancel: () => void
}

export function sendFile(order: FileOrder): SendingFile {
  const { bucket, key, file } = order
  const upload = new tus.Upload(file, {
    endpoint: new URL(serviceUrl('storage/v1/upload/resumable'), location.href).href,
    ...(order.url ? { uploadUrl: order.url } : {}),
    // What goes on after a reload is kept by the list of uploads.
    storeFingerprintForResuming: false,
    uploadDataDuringCreation: true,
    chunkSize: PART,
    retryDelays: ATTEMPTS,
    headers: { 'x-console-request': '1', 'x-upsert': String(order.isReplacing) },
    metadata: {
      bucketName: bucket,
      objectName: key,
      contentType: file.type || 'application/octet-stream',
    },
    onUploadUrlAvailable: () => order.onUrl(upload.url ?? ''),
    onProgress: (sent, total) => order.onProgress(total > 0 ? sent / total : 1),
    onSuccess: order.onDone,
    onError: (error) => order.onError(errorOf(error)),
    // A refusal stays one; what is lost on the way is tried again.
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0
      if (status === 0) return navigator.onLine
      return status === 423 || status >= 500
    },
  })
  upload.start()
  return {
    resume: () => upload.start(),
    cancel: () => void upload.abort(true).catch(() => undefined),
  }
}

function errorOf(error: Error): ApiError {
  const response = error instanceof tus.DetailedError ? error.originalResponse : null
  const status = response?.getStatus() ?? 0
  if (!response || status === 0) return new ApiError(0, 'network', 'The console did not answer.')
  const refusal = refusalOf(status, response.getBody())
  noteRefusal(refusal)
  return refusal
}
