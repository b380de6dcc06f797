/**
 * Uploads one file in chunks by the tus protocol: a lost chunk is sent again, and earlier chunks
 * stay.
 */
import * as tus from 'tus-js-client'
import { ApiError, noteRefusal, refusalOf, serviceUrl } from '@/api/client'

/** The size of a chunk in bytes. */
const PART = 6 * 1024 * 1024
/** Delays in milliseconds before each attempt at a chunk. */
const ATTEMPTS = [0, 1000, 3000, 5000]

export interface FileOrder {
  bucket: string
  key: string
  file: File
  isReplacing: boolean
  /** The address of an earlier attempt, to continue it. */
  url: string | undefined
  /** Called with the address at which this attempt can be continued. */
  onUrl: (url: string) => void
  /** Between 0 and 1. */
  onProgress: (part: number) => void
  onDone: () => void
  onError: (error: ApiError) => void
}

export interface FileUpload {
  /** Continues where it stopped. */
  resume: () => void
  /** Ends the upload and deletes the received part. */
  cancel: () => void
}

export function sendFile(order: FileOrder): FileUpload {
  const { bucket, key, file } = order
  const upload = new tus.Upload(file, {
    endpoint: new URL(serviceUrl('storage/v1/upload/resumable'), location.href).href,
    ...(order.url ? { uploadUrl: order.url } : {}),
    // The list of uploads stores what is needed after a reload.
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
    // A refusal is final; a lost connection is retried.
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
