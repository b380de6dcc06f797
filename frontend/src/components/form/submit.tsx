import type { ReactNode } from 'react'
import { Button, type ButtonOptions } from '@/components/ui/button'
import { classes } from '@/components/ui/classes'
import { Icon } from '@/components/ui/icon'
import { useFormParts } from './form-context'
import styles from './form.module.css'

interface SubmitProps extends Omit<ButtonOptions, 'size'> {
  size?: ButtonOptions['size']
  busy?: boolean
  firstFocus?: boolean
  /** Other actions, beside the button. */
  aside?: ReactNode
  children: ReactNode
}

/** The submit button, below the reason for which the last submit was refused. */
export function Submit({ variant = 'primary', busy = false, firstFocus, aside, children, ...button }: SubmitProps) {
  const parts = useFormParts()
  return (
    <div className={styles.foot}>
      <FormRefusal />
      <div className={classes(styles.buttons, button.wide && styles.shared)}>
        {aside}
        <Button
          {...button}
          type="submit"
          variant={variant}
          busy={parts.busy || busy}
          data-first-focus={firstFocus || undefined}
        >
          {children}
        </Button>
      </div>
    </div>
  )
}

/**
 * The refusal of the whole form. The element is always there, so that the text is read aloud when
 * it appears.
 */
export function FormRefusal() {
  const { refusal } = useFormParts()
  return (
    <div role="alert">
      {refusal && (
        <p className={styles.refusal}>
          <Icon name="warning" size={18} />
          {refusal}
        </p>
      )}
    </div>
  )
}
