/**
 * Uploads that can be continued after a reload. A page can store their state but no file, so the
 * same file must be picked again.
 */
const STORAGE = 'console-uploads'
/** storage/v1 keeps a partial upload for a day. */
const LIFETIME = 24 * 60 * 60 * 1000

export interface UnfinishedUpload {
  bucket: string
  key: string
  /** The name of the file. */
  name: string
  size: number
  modified: number
  url: string
  /** Between 0 and 1. */
  progress: number
  at: number
}

export function unfinishedUploads(now = Date.now()): UnfinishedUpload[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE) ?? '[]')
    if (!Array.isArray(stored)) return []
    return (stored as UnfinishedUpload[]).filter(({ at, url }) => typeof url === 'string' && now - at < LIFETIME)
  } catch {
    return []
  }
}

/** Stores the state of an upload, replacing its former state. */
export function storeUpload(upload: UnfinishedUpload): void {
  store([...unfinishedUploads().filter(({ url }) => url !== upload.url), upload])
}

export function removeUpload(url: string): void {
  store(unfinishedUploads().filter((one) => one.url !== url))
}

/** Whether a file is that of an upload, as far as a page can tell. */
export function isSameFile(upload: UnfinishedUpload, file: File): boolean {
  return upload.name === file.name && upload.size === file.size && upload.modified === file.lastModified
}

function store(uploads: readonly UnfinishedUpload[]): void {
  try {
    localStorage.setItem(STORAGE, JSON.stringify(uploads))
  } catch {
    // Storage may be full or blocked; the upload begins anew after a reload then.
  }
}
