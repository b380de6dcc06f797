/**
 * Uploads that can go on after a reload. A page may keep where they stand, and no file: whoever uploads picks the same one
 * again.
 */
const STORAGE = 'console-uploads'
/** storage/v1 keeps what arrived for a day. */
const LIFETIME = 24 * 60 * 60 * 1000

export interface UnfinishedUpload {
  bucket: string
  key: string
  /** Of the file. */
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
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE) ?? '[]')
    if (!Array.isArray(kept)) return []
    return (kept as UnfinishedUpload[]).filter(({ at, url }) => typeof url === 'string' && now - at < LIFETIME)
  } catch {
    return []
  }
}

/** Keeps where an upload stands, in the place of what was known of it. */
export function rememberUpload(upload: UnfinishedUpload): void {
  keep([...unfinishedUploads().filter(({ url }) => url !== upload.url), upload])
}

export function forgetUpload(url: string): void {
  keep(unfinishedUploads().filter((one) => one.url !== url))
}

/** Whether a file is the one of an upload, as far as a page can tell. */
export function isSameFile(upload: UnfinishedUpload, file: File): boolean {
  return upload.name === file.name && upload.size === file.size && upload.modified === file.lastModified
}

function keep(uploads: readonly UnfinishedUpload[]): void {
  try {
    localStorage.setItem(STORAGE, JSON.stringify(uploads))
  } catch {
    // Storage may be full or blocked; a reload then begins anew.
  }
}
