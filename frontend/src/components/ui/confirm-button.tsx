/**
 * Asks for confirmation before something that cannot be undone. The dialog is fetched when its
 * button is hovered or focused, and mounted when it is first opened.
 */
import { Suspense, useState, type ComponentProps } from 'react'
import { lazyComponent, loadWithRetry } from '@/lib/browser/lazy'
import { Button } from './button'
import type { ConfirmDialogProps, Question } from './confirm-dialog'

const load = () => import('./confirm-dialog')
const Window = lazyComponent(async () => (await load()).ConfirmDialog)

type ConfirmButtonProps = Omit<ComponentProps<typeof Button>, 'title' | 'onClick'> & Question

/** A button that asks for confirmation before it acts. */
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

/** The confirmation alone, for actions that start elsewhere, such as in a menu. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  // Stays mounted once opened, for the closing animation.
  const [isOpen, setWanted] = useState(props.open)
  if (props.open && !isOpen) setWanted(true)
  return <Suspense>{isOpen && <Window {...props} />}</Suspense>
}
