/**
 * Asks once before something that cannot be taken back. The window is fetched when its button is pointed at or focused,
 * and drawn when it is first wanted.
 */
import { Suspense, useState, type ComponentProps } from 'react'
import { lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { Button } from './button'
import type { ConfirmDialogProps, Question } from './confirm-dialog'

const load = () => import('./confirm-dialog')
const Window = lazyComponent(async () => (await load()).ConfirmDialog)

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, 'title' | 'onClick'> & Question

/** A button that asks before it acts. */
export function ConfirmButton({ title, text, confirm, onConfirm, ...button }: ConfirmButtonProps) {
  const [open, setOpen] = useState(false)
  const warm = () => void loadWithRetry(load)
  return (
    <>
      <Button {...button} aria-haspopup="dialog" onPointerEnter={warm} onFocus={warm} onClick={() => setOpen(true)} />
      <ConfirmDialog {...{ open, title, text, confirm, onConfirm }} onOpenChange={setOpen} />
    </>
  )
}

/** The question alone, for what is opened from elsewhere, such as a menu. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // Once opened it stays, so that it can be seen to close.
  const [wanted, setWanted] = useState(props.open)
  if (props.open && !wanted) setWanted(true)
  return <Suspense>{wanted && <Window {...props} />}</Suspense>
}
