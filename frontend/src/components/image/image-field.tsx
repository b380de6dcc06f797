import { Suspense, useId, useRef, useState, type DragEvent } from 'react'
import { useField, type FormFieldProps } from '@/components/form/use-field'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Icon } from '@/components/ui/icon'
import { Picture } from '@/components/ui/picture'
import { Progress } from '@/components/ui/progress'
import { useTranslation } from '@/lib/i18n/i18n'
import { lazyComponent } from '@/lib/browser/lazy'
import { MOVING_TYPE, PICTURE_TYPES, pictureProblem, type PictureProblem, type Size } from './picture-file'
import type { Upload } from '@/lib/api/upload'
import styles from './image-field.module.css'

/** Loaded lazily, because it is needed only once an image is chosen. */
const CropDialog = lazyComponent(async () => (await import('./crop-dialog')).CropDialog)

interface ImageFieldProps extends FormFieldProps {
  /** The size in which the image is stored; it also sets the ratio of the crop. */
  size: Size
  /** The recommended size, if a larger one is stored for high-density screens. */
  recommended?: Size
  upload: Upload
  round?: boolean
  /**
   * Also accepts animated images, which are uploaded unchanged, because cropping would stop the
   * animation.
   */
  animated?: boolean
}

type State = { step: 'rest' } | { step: 'sending'; picture: Blob; share: number } | { step: 'failed'; picture: Blob }

/**
 * An image that is dropped or picked, cropped to its ratio, resized and uploaded. The value is its
 * address, or an empty text. After a failed upload the cropped image is kept, with a button to try
 * again.
 */
export function ImageField({
  size,
  recommended = size,
  upload,
  round = false,
  animated = false,
  ...props
}: ImageFieldProps) {
  const { t } = useTranslation('form')
  const field = useField<string | undefined>(props)
  const [state, setState] = useState<State>({ step: 'rest' })
  const [problem, setProblem] = useState<PictureProblem | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const calling = useRef<AbortController>(null)
  const noteId = useId()

  function choose(file: File | undefined): void {
    if (file === undefined) return
    const found = pictureProblem(file, animated)
    setProblem(found)
    if (found === null && file.type === MOVING_TYPE) void send(file)
    else if (found === null) setChosen(URL.createObjectURL(file))
    if (input.current) input.current.value = ''
  }

  function letGo(): void {
    if (chosen !== null) URL.revokeObjectURL(chosen)
    setChosen(null)
  }

  async function send(picture: Blob): Promise<void> {
    const call = new AbortController()
    calling.current = call
    setState({ step: 'sending', picture, share: 0 })
    try {
      const onProgress = (share: number): void => setState({ step: 'sending', picture, share })
      field.change(await upload(picture, { signal: call.signal, onProgress }))
      setState({ step: 'rest' })
    } catch {
      setState(call.signal.aborted ? { step: 'rest' } : { step: 'failed', picture })
    }
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setOver(false)
    choose(event.dataTransfer.files[0])
  }

  const error =
    problem === null
      ? field.frame.error
      : t(problem === 'type' && animated ? 'image.problem.typeMoving' : `image.problem.${problem}`)
  return (
    <Field {...field.frame} error={error} group="group">
      {() => (
        <div
          className={styles.box}
          data-over={over || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <div
            className={styles.stage}
            data-round={round || undefined}
            style={{
              aspectRatio: size.width / size.height,
              width: `${Math.min(14, (9 * size.width) / size.height)}rem`,
            }}
          >
            {field.value ? <Picture src={field.value} alt={t('image.current')} /> : <Icon name="plus" size={28} />}
          </div>
          <div className={styles.side}>
            <input
              ref={input}
              type="file"
              hidden
              accept={(animated ? [...PICTURE_TYPES, MOVING_TYPE] : PICTURE_TYPES).join(',')}
              onChange={(event) => choose(event.target.files?.[0])}
              data-testid={`${props.name}-file`}
            />
            {state.step === 'rest' && (
              <div className={styles.buttons}>
                <Button ref={field.ref} aria-describedby={noteId} onClick={() => input.current?.click()}>
                  {t(field.value ? 'image.replace' : 'image.pick')}
                </Button>
                {field.value && (
                  <Button variant="quiet" icon="trash" onClick={() => field.change('')}>
                    {t('image.remove')}
                  </Button>
                )}
              </div>
            )}
            {state.step === 'sending' && (
              <>
                <Progress label={t('image.sending')} value={state.share * 100} />
                <Button variant="quiet" onClick={() => calling.current?.abort()}>
                  {t('image.cancel')}
                </Button>
              </>
            )}
            {state.step === 'failed' && (
              <div role="alert" className={styles.failed}>
                <p>{t('image.failed')}</p>
                <div className={styles.buttons}>
                  <Button icon="refresh" onClick={() => void send(state.picture)}>
                    {t('image.again')}
                  </Button>
                  <Button variant="quiet" onClick={() => setState({ step: 'rest' })}>
                    {t('image.cancel')}
                  </Button>
                </div>
              </div>
            )}
            <p id={noteId} className={styles.note}>
              {t(animated ? 'image.noteMoving' : 'image.note', {
                width: recommended.width,
                height: recommended.height,
              })}
            </p>
          </div>
          {chosen !== null && (
            <Suspense fallback={null}>
              <CropDialog
                address={chosen}
                size={size}
                round={round}
                onClose={letGo}
                onBroken={() => {
                  setProblem('broken')
                  letGo()
                }}
                onCut={(picture) => {
                  letGo()
                  void send(picture)
                }}
              />
            </Suspense>
          )}
        </div>
      )}
    </Field>
  )
}
