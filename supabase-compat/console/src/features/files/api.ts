/** Buckets and objects, by storage/v1. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { send, serviceRequest, serviceUrl } from '@/api/client'

export interface Bucket {
  id: string
  name: string
  public: boolean
  /** The maximum size of an object in bytes; null for the service's own limit. */
  file_size_limit: number | null
  allowed_mime_types: string[] | null
  created_at: string
}

/** An entry of a folder; a folder has no id. */
export interface Entry {
  name: string
  id: string | null
  updated_at: string | null
  created_at: string | null
  metadata: { size?: number; mimetype?: string } | null
}

const PAGE_SIZE = 100
/** An empty object that keeps a folder in existence; other consoles use the same name. */
export const PLACEHOLDER = '.emptyFolderPlaceholder'
/** The number of objects that one request deletes. */
const DELETED_AT_ONCE = 1000

export const storageKey = ['storage'] as const

export const bucketsQuery = queryOptions({
  queryKey: [...storageKey, 'buckets'],
  queryFn: ({ signal }) => serviceRequest<Bucket[]>('storage/v1/bucket', { signal }),
})

export const folderQuery = (bucket: string, folder: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [...storageKey, 'folder', bucket, folder, search],
    queryFn: ({ signal, pageParam }) =>
      serviceRequest<Entry[]>(`storage/v1/object/list/${encodeURIComponent(bucket)}`, {
        method: 'POST',
        body: {
          prefix: folder,
          limit: PAGE_SIZE,
          offset: pageParam,
          search,
          sortBy: { column: 'name', order: 'asc' },
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? null : pages.length * PAGE_SIZE),
  })

/** A key in a path: each segment is encoded, slashes stay. */
export const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/')
export const objectPath = (door: string, bucket: string, key: string) =>
  `storage/v1/object${door}/${encodeURIComponent(bucket)}/${encodeKey(key)}`
/** The address at which the console reads an object. */
export const contentUrl = (bucket: string, key: string) => serviceUrl(objectPath('/authenticated', bucket, key))
export const keyOf = (folder: string, name: string) => (folder ? `${folder}/${name}` : name)

export interface BucketFields {
  name: string
  public: boolean
  file_size_limit: number | null
  allowed_mime_types: string[] | null
}

export const createBucket = (fields: BucketFields) =>
  serviceRequest<void>('storage/v1/bucket', { method: 'POST', body: { ...fields, id: fields.name } })
/** The bucket's name cannot be changed. */
export const changeBucket = ({
  id,
  public: isPublic,
  file_size_limit,
  allowed_mime_types,
}: { id: string } & BucketFields) =>
  serviceRequest<void>(`storage/v1/bucket/${encodeURIComponent(id)}`, {
    method: 'PUT',
    body: { public: isPublic, file_size_limit, allowed_mime_types },
  })

/** Only an empty bucket can be deleted, so it is emptied first. */
export async function deleteBucket(id: string): Promise<void> {
  const path = `storage/v1/bucket/${encodeURIComponent(id)}`
  await serviceRequest(`${path}/empty`, { method: 'POST', body: {} })
  await serviceRequest(path, { method: 'DELETE' })
}

export const moveObject = (body: {
  bucketId: string
  sourceKey: string
  destinationKey: string
  destinationBucket?: string
}) => serviceRequest<void>('storage/v1/object/move', { method: 'POST', body })

export async function signObject(bucket: string, key: string, seconds: number, apiUrl: string): Promise<string> {
  const { signedURL } = await serviceRequest<{ signedURL: string }>(objectPath('/sign', bucket, key), {
    method: 'POST',
    body: { expiresIn: seconds },
  })
  return `${apiUrl}/storage/v1${signedURL}`
}

export const publicUrl = (bucket: string, key: string, apiUrl: string) =>
  `${apiUrl}/${objectPath('/public', bucket, key)}`

/** The first bytes of an object as text. */
export async function readStart(bucket: string, key: string, bytes: number, signal: AbortSignal): Promise<string> {
  const response = await send(contentUrl(bucket, key), {
    headers: { accept: '*/*', range: `bytes=0-${bytes - 1}` },
    signal,
  })
  return response.text()
}

export const createFolder = (bucket: string, key: string) =>
  serviceRequest<void>(objectPath('', bucket, `${key}/${PLACEHOLDER}`), {
    method: 'POST',
    body: new Blob([]),
    headers: { 'content-type': 'application/octet-stream' },
  })

/** Deletes objects, and folders with their content. */
export async function deleteEntries(bucket: string, folder: string, entries: readonly Entry[]): Promise<void> {
  const remove = (prefixes: string[]) =>
    serviceRequest(`storage/v1/object/${encodeURIComponent(bucket)}`, { method: 'DELETE', body: { prefixes } })
  const keys = entries.filter(({ id }) => id !== null).map(({ name }) => keyOf(folder, name))
  for (let from = 0; from < keys.length; from += DELETED_AT_ONCE) await remove(keys.slice(from, from + DELETED_AT_ONCE))
  for (const { name } of entries.filter(({ id }) => id === null)) {
    for (;;) {
      const { objects } = await serviceRequest<{ objects: { key: string }[] }>(
        `storage/v1/object/list-v2/${encodeURIComponent(bucket)}`,
        { method: 'POST', body: { prefix: `${keyOf(folder, name)}/`, limit: DELETED_AT_ONCE } },
      )
      if (objects.length === 0) break
      await remove(objects.map(({ key }) => key))
    }
  }
}
