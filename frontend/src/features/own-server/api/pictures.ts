/** Pictures of servers, in the bucket of the site, each below its owner's folder at an address of its own. */
import { putFile, type Upload } from '@/components/image/upload'
import { ApiError, toApiError } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

const BUCKET = 'server-images'
const ENDINGS: Readonly<Record<string, string>> = { 'image/webp': 'webp', 'image/png': 'png', 'image/jpeg': 'jpg' }

/** Sends pictures of one kind: the service signs an address to put each at, so that its progress can be told. */
export const uploadPicture =
  (userId: string, kind: string): Upload =>
  async (picture, sending) => {
    const ending = ENDINGS[picture.type]
    if (ending === undefined) throw new ApiError('upload_refused', 'Not a picture', 415)
    const bucket = supabase.storage.from(BUCKET)
    const path = `${userId}/${kind}-${Date.now()}-${crypto.randomUUID().slice(0, 8)}.${ending}`
    const { data, error } = await bucket.createSignedUploadUrl(path)
    if (error !== null) throw toApiError(error)
    await putFile(data.signedUrl, picture, sending)
    return onThisSite(bucket.getPublicUrl(path).data.publicUrl)
  }

/** Without the site's own address, which may change. */
function onThisSite(address: string): string {
  const url = new URL(address, window.location.origin)
  return url.origin === window.location.origin ? url.pathname : url.href
}

/** Takes away pictures that nothing shows any more, as far as they are this person's. Nobody waits for it. */
export function removePictures(userId: string, addresses: readonly string[]): void {
  const folder = `/object/public/${BUCKET}/`
  const paths = addresses.flatMap((address) => address.split(folder)[1] ?? [])
  const own = paths.filter((path) => path.startsWith(`${userId}/`))
  if (own.length === 0) return
  void supabase.storage
    .from(BUCKET)
    .remove(own)
    .catch(() => {})
}
