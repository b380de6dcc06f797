/**
 * A dialog that anybody may ask for and one feature draws: what it is about stands here, so that whoever asks needs none of
 * its code.
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
