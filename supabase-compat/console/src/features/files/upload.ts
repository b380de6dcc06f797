/** Uploads with progress, two at a time. `fetch` says nothing of what was sent, so these are sent by XMLHttpRequest. */
import { refusalOf, serviceUrl, type ApiError } from '@/api/client'
import { objectPath } from './api'

/** Uploads that run at once. */
const AT_ONCE = 2

export interface Upload {
  id: number
  bucket: string
  key: string
  file: File
  /** Between 0 and 1. */
  progress: number
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  error?: ApiError
}

/** Uploads of this page, in the order in which they were chosen. */
export class UploadQueue {
  #uploads: Upload[] = []
  #running = new Map<number, XMLHttpRequest>()
  #replacing = new Set<number>()
  #nextId = 1
  #listeners = new Set<() => void>()

  constructor(private readonly onDone: (upload: Upload) => void) {}

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  snapshot = (): readonly Upload[] => this.#uploads

  add(bucket: string, files: readonly { key: string; file: File }[]): void {
    const added = files.map(({ key, file }): Upload => {
      return { id: this.#nextId++, bucket, key, file, progress: 0, state: 'waiting' }
    })
    this.#change([...this.#uploads, ...added])
    this.#start()
  }

  /** Sends it again; with `isReplacing` in the place of what has its key. */
  retry(id: number, isReplacing: boolean): void {
    if (isReplacing) this.#replacing.add(id)
    this.#update(id, { state: 'waiting', progress: 0, error: undefined })
    this.#start()
  }

  cancel(id: number): void {
    this.#running.get(id)?.abort()
    this.#running.delete(id)
    this.#update(id, { state: 'cancelled' })
    this.#start()
  }

  /** Forgets what is over. */
  clear(): void {
    this.#change(this.#uploads.filter(({ state }) => state === 'waiting' || state === 'running'))
  }

  #start(): void {
    for (const upload of this.#uploads) {
      if (this.#running.size >= AT_ONCE) return
      if (upload.state === 'waiting') this.#send(upload)
    }
  }

  #send({ id, bucket, key, file }: Upload): void {
    const request = new XMLHttpRequest()
    this.#running.set(id, request)
    this.#update(id, { state: 'running' })
    request.open('POST', serviceUrl(objectPath('', bucket, key)))
    request.setRequestHeader('x-console-request', '1')
    request.setRequestHeader('content-type', file.type || 'application/octet-stream')
    request.setRequestHeader('x-upsert', String(this.#replacing.has(id)))
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      this.#update(id, { progress: total > 0 ? loaded / total : 0 }),
    )
    request.addEventListener('load', () => {
      if (request.status < 400) this.#end(id, { state: 'done', progress: 1 })
      else this.#end(id, { state: 'failed', error: refusalOf(request.status, request.responseText) })
    })
    request.addEventListener('error', () =>
      this.#end(id, {
        state: 'failed',
        error: refusalOf(0, '{"code":"network","message":"The console did not answer."}'),
      }),
    )
    request.send(file)
  }

  #end(id: number, change: Partial<Upload>): void {
    this.#running.delete(id)
    this.#update(id, change)
    const upload = this.#uploads.find((one) => one.id === id)
    if (upload?.state === 'done') this.onDone(upload)
    this.#start()
  }

  #update(id: number, change: Partial<Upload>): void {
    this.#change(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }

  #change(uploads: Upload[]): void {
    this.#uploads = uploads
    for (const listener of this.#listeners) listener()
  }
}
