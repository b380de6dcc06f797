/** A menu behind a button, with arrow keys and type-ahead. Large: import lazily. */
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Link } from './link'
import { classes } from './classes'
import { Icon, type IconName } from './icon'
import styles from './menu.module.css'

interface MenuProps {
  /** The button that opens the menu, with an accessible name of its own. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} align={align} sideOffset={8} collisionPadding={8}>
          <Base.Popup className={styles.menu}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  icon?: IconName
  tone?: 'plain' | 'danger'
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, tone = 'plain', disabled, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      className={classes(styles.item, tone === 'danger' && styles.danger)}
      disabled={disabled}
      onClick={onSelect}
    >
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Base.Item>
  )
}

/** An entry that leads to another page. */
export function MenuLink({ icon, to, children }: { icon?: IconName; to: string; children: ReactNode }) {
  return (
    <Base.LinkItem className={styles.item} render={<Link to={to} />} closeOnClick>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </Base.LinkItem>
  )
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />
}
