/**
 * A dialog that any code may open and one feature renders. Its subject is stored here, so that
 * opening it does not import the code of the dialog.
 */
import { createStore, useStore } from './store'

export interface DialogOf<Subject> {
  open: (subject: Subject) => void
  close: () => void
  /** What the dialog is about, or null while it is closed. */
  useSubject: () => Subject | null
}

export function createDialog<Subject>(): DialogOf<Subject> {
  const subject = createStore<Subject | null>(null)
  return { open: subject.set, close: () => subject.set(null), useSubject: () => useStore(subject) }
}
