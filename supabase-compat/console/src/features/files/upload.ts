/**
 * Uploads with progress, two at a time. They survive a lost network, and a reload if the file is
 * picked again.
 */
import type { ApiError } from '@/api/client'
import { serviceRequest } from '@/api/client'
import type { FileUpload } from './send-file'
import { isSameFile, removeUpload, storeUpload, unfinishedUploads, type UnfinishedUpload } from './unfinished'

/** How many uploads run in parallel. */
const MAX_PARALLEL = 2

export interface Upload {
  id: number
  bucket: string
  key: string
  file: File
  /** Between 0 and 1. */
  progress: number
  /** `interrupted` waits for the network. */
  state: 'waiting' | 'running' | 'interrupted' | 'done' | 'failed' | 'cancelled'
  error?: ApiError
}

/**
 * The uploads of this page, in the order in which they were chosen, and unfinished ones of an
 * earlier page.
 */
export class UploadQueue {
  #uploads: Upload[] = []
  #unfinished: UnfinishedUpload[] = unfinishedUploads()
  #running = new Map<number, FileUpload>()
  #urls = new Map<number, string>()
  #replacing = new Set<number>()
  #nextId = 1
  #listeners = new Set<() => void>()

  constructor(private readonly onDone: (upload: Upload) => void) {
    addEventListener('online', () => this.resume())
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  snapshot = (): readonly Upload[] => this.#uploads
  /** Unfinished uploads of an earlier page. */
  unfinished = (): readonly UnfinishedUpload[] => this.#unfinished

  /** A file with an unfinished upload continues it. */
  add(bucket: string, files: readonly { key: string; file: File }[]): void {
    const added = files.map(({ key, file }): Upload => {
      const id = this.#nextId++
      const earlier = this.#unfinished.find((one) => one.bucket === bucket && one.key === key && isSameFile(one, file))
      if (earlier) {
        this.#urls.set(id, earlier.url)
        this.#unfinished = this.#unfinished.filter((one) => one !== earlier)
      }
      return { id, bucket, key, file, progress: earlier?.progress ?? 0, state: 'waiting' }
    })
    this.#change([...this.#uploads, ...added])
    this.#start()
  }

  /** Uploads a file again; with `isReplacing` it replaces the object with its key. */
  retry(id: number, isReplacing: boolean): void {
    if (isReplacing) this.#replacing.add(id)
    this.#running.delete(id)
    this.#update(id, { state: 'waiting', error: undefined })
    this.#start()
  }

  /** Continues uploads that the network interrupted. */
  resume(): void {
    for (const { id, state } of this.#uploads) {
      if (state !== 'interrupted') continue
      this.#update(id, { state: 'running', error: undefined })
      this.#running.get(id)?.resume()
    }
  }

  cancel(id: number): void {
    this.#running.get(id)?.cancel()
    this.#removeStored(id)
    this.#end(id, { state: 'cancelled' })
  }

  /** Deletes the received part of an earlier page's upload. */
  discard(upload: UnfinishedUpload): void {
    removeUpload(upload.url)
    const id = upload.url.split('/').at(-1) ?? ''
    const headers = { 'tus-resumable': '1.0.0' }
    // It may be deleted already; otherwise storage/v1 deletes it when it expires.
    void serviceRequest(`storage/v1/upload/resumable/${id}`, { method: 'DELETE', headers }).catch(() => undefined)
    this.#unfinished = this.#unfinished.filter((one) => one !== upload)
    this.#notify()
  }

  /** Removes finished uploads from the list. */
  clear(): void {
    this.#change(this.#uploads.filter(isOpen))
  }

  #start(): void {
    for (const upload of this.#uploads) {
      if (this.#uploads.filter(({ state }) => state === 'running').length >= MAX_PARALLEL) return
      if (upload.state === 'waiting') void this.#send(upload)
    }
  }

  async #send({ id, bucket, key, file }: Upload): Promise<void> {
    this.#update(id, { state: 'running' })
    const { sendFile } = await import('./send-file')
    if (this.#uploads.find((one) => one.id === id)?.state !== 'running') return
    const storeProgress = (url: string, progress: number): void =>
      storeUpload({
        bucket,
        key,
        name: file.name,
        size: file.size,
        modified: file.lastModified,
        url,
        progress,
        at: Date.now(),
      })
    const upload = sendFile({
      bucket,
      key,
      file,
      isReplacing: this.#replacing.has(id),
      url: this.#urls.get(id),
      onUrl: (url) => {
        this.#urls.set(id, url)
        storeProgress(url, 0)
      },
      onProgress: (progress) => {
        this.#update(id, { progress })
        const url = this.#urls.get(id)
        if (url) storeProgress(url, progress)
      },
      onDone: () => {
        this.#removeStored(id)
        this.#end(id, { state: 'done', progress: 1 })
      },
      onError: (error) => {
        // A lost connection is resumed later; a refusal is final.
        if (error.status === 0) return this.#end(id, { state: 'interrupted', error }, upload)
        this.#removeStored(id)
        this.#end(id, { state: 'failed', error })
      },
    })
    this.#running.set(id, upload)
  }

  #removeStored(id: number): void {
    const url = this.#urls.get(id)
    if (url) removeUpload(url)
    this.#urls.delete(id)
  }

  #end(id: number, change: Partial<Upload>, interrupted?: FileUpload): void {
    const upload = this.#uploads.find((one) => one.id === id)
    if (upload?.state === 'cancelled') return
    if (!interrupted) this.#running.delete(id)
    this.#update(id, change)
    if (upload && change.state === 'done') this.onDone(upload)
    this.#start()
  }

  #update(id: number, change: Partial<Upload>): void {
    this.#change(this.#uploads.map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }

  #change(uploads: Upload[]): void {
    this.#uploads = uploads
    this.#notify()
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** Whether an upload is still in progress. */
export function isOpen({ state }: Upload): boolean {
  return state === 'waiting' || state === 'running' || state === 'interrupted'
}
