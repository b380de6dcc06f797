import type { ComponentProps } from 'react'
import { Link } from './link'
import { classes } from './classes'
import { Icon, type IconName } from './icon'
import styles from './button.module.css'

export interface ButtonOptions {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'medium' | 'large'
  icon?: IconName
  wide?: boolean
}

type ButtonProps = ComponentProps<'button'> & ButtonOptions & { busy?: boolean }

/** A button. While `busy` it keeps its width and focus, and ignores clicks. */
export function Button({
  variant,
  size,
  icon,
  wide,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      className={classes(buttonClass({ variant, size, wide }), className)}
    >
      {busy ? <BusyMark /> : icon && <Icon name={icon} size={18} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> &
  Omit<ButtonOptions, 'icon' | 'wide'> & { icon: IconName; label: string; filled?: boolean }

/** A button with an icon only; the label is its accessible name and its hint. */
export function IconButton({ variant = 'quiet', size, icon, label, filled, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      data-tooltip={label}
      {...rest}
      aria-label={label}
      className={classes(buttonClass({ variant, size }), styles.icon, className)}
    >
      <Icon name={icon} size={size === 'small' ? 18 : 20} filled={filled} />
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  icon,
  wide,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & ButtonOptions) {
  return (
    <Link {...rest} className={classes(buttonClass({ variant, size, wide }), className)}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Link>
  )
}

/** The same look for other elements, such as external links. */
export function buttonClass({
  variant = 'secondary',
  size = 'medium',
  wide = false,
}: Omit<ButtonOptions, 'icon'>): string {
  return classes(styles.button, styles[variant], size !== 'medium' && styles[size], wide && styles.wide)
}

function BusyMark() {
  return (
    <svg width={18} height={18} viewBox="0 0 24 24" fill="none" aria-hidden="true" className={styles.busy}>
      <circle cx={12} cy={12} r={9} stroke="currentColor" strokeOpacity={0.3} strokeWidth={3} />
      <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth={3} strokeLinecap="round" />
    </svg>
  )
}
