import 'react-easy-crop/react-easy-crop.css'
import { useState } from 'react'
import Cropper from 'react-easy-crop'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useTranslation } from '@/lib/i18n/i18n'
import { cutPicture, type CropArea, type Size } from './picture-file'
import styles from './image-field.module.css'

interface CropDialogProps {
  /** The object URL of the chosen file. */
  address: string
  size: Size
  round: boolean
  onClose: () => void
  onCut: (picture: Blob) => void
  onBroken: () => void
}

/** Crops an image to its ratio: by pointer, by wheel, or with the arrow keys and the slider. */
export function CropDialog({ address, size, round, onClose, onCut, onBroken }: CropDialogProps) {
  const { t } = useTranslation(['form', 'ui'])
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  const [cut, setCut] = useState<CropArea | null>(null)
  const [busy, setBusy] = useState(false)

  async function use(): Promise<void> {
    if (cut === null || busy) return
    setBusy(true)
    try {
      onCut(await cutPicture(address, cut, size))
    } catch {
      onBroken()
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('form:image.crop')}
      description={t('form:image.cropText')}
    >
      <div className={styles.crop}>
        <Cropper
          image={address}
          crop={crop}
          zoom={zoom}
          aspect={size.width / size.height}
          cropShape={round ? 'round' : 'rect'}
          disableAutomaticStylesInjection
          classes={{ mediaClassName: styles.media }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, pixels) => setCut(pixels)}
          mediaProps={{ onError: onBroken }}
          cropperProps={{ role: 'group', 'aria-label': t('form:image.crop') }}
        />
      </div>
      <label className={styles.zoom}>
        {t('form:image.zoom')}
        <input
          type="range"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      <div className={styles.buttons}>
        <Button onClick={onClose}>{t('ui:cancel')}</Button>
        <Button variant="primary" busy={busy} onClick={() => void use()}>
          {t('form:image.use')}
        </Button>
      </div>
    </Dialog>
  )
}
