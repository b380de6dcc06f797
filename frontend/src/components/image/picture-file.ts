/** Checks and crops a chosen image in the browser, before it is uploaded. */

export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const
export const MOVING_TYPE = 'image/gif'
const MAX_PICTURE_BYTES = 5_242_880

export type PictureProblem = 'type' | 'size' | 'broken'

export function pictureProblem(file: Pick<File, 'type' | 'size'>, mayMove = false): PictureProblem | null {
  const isKnown = PICTURE_TYPES.some((type) => type === file.type) || (mayMove && file.type === MOVING_TYPE)
  if (!isKnown) return 'type'
  return file.size > MAX_PICTURE_BYTES ? 'size' : null
}

export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

export interface Size {
  width: number
  height: number
}

/** The size of the result, never larger than the crop: scaling up only makes an image heavier. */
export function sizeOf(cut: Size, target: Size): Size {
  const scale = Math.min(1, cut.width / target.width)
  return { width: Math.round(target.width * scale), height: Math.round(target.height * scale) }
}

const QUALITY = 0.86

/**
 * The cropped image at the wanted size, as WebP (PNG in browsers that cannot encode WebP). Rejects
 * when the file cannot be decoded.
 */
export async function cutPicture(address: string, cut: CropArea, target: Size): Promise<Blob> {
  const picture = new Image()
  picture.src = address
  await picture.decode()
  const { width, height } = sizeOf(cut, target)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen === null) throw new Error('The browser draws no pictures')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(picture, cut.x, cut.y, cut.width, cut.height, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('No picture came of it'))), 'image/webp', QUALITY)
  })
}
