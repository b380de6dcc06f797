import { useRef } from 'react'
import { uploadTo, type UploadOptions, type Upload } from '@/lib/api/upload'
import { ApiError } from '@/lib/api/errors'

interface Pictures {
  upload: (kind: string) => Upload
  /** Throws during an upload: the form would be submitted without the image. */
  assertSent: () => void
}

/** Uploads the images of a form, and knows whether all uploads are complete. */
export function usePictures(userId: string): Pictures {
  const onTheWay = useRef(0)
  return {
    upload: (kind) => async (picture: Blob, sending: UploadOptions) => {
      onTheWay.current += 1
      try {
        return await uploadTo(userId, `${kind}-`)(picture, sending)
      } finally {
        onTheWay.current -= 1
      }
    },
    assertSent() {
      if (onTheWay.current > 0) throw new ApiError('picture_pending', 'A picture is on its way', 0)
    },
  }
}
