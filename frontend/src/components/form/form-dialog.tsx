import { useCallback, useRef, type ComponentProps } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { LeaveScope } from './dirty-guard'

/** A dialog around a form: closing it asks first while a guarded form in it has unsaved changes. */
export function FormDialog({ onOpenChange, ...dialog }: ComponentProps<typeof Dialog>) {
  const question = useRef<((go: () => void) => void) | null>(null)
  const hold = useCallback((ask: ((go: () => void) => void) | null) => {
    question.current = ask
  }, [])
  return (
    <LeaveScope value={hold}>
      <Dialog
        {...dialog}
        onOpenChange={(open) => {
          if (!open && question.current) question.current(() => onOpenChange(false))
          else onOpenChange(open)
        }}
      />
    </LeaveScope>
  )
}
