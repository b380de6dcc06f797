/**
 * Links within the site. The router's own component comes with what its framework needs, three kilobytes of it on every
 * page; these are made of the two public hooks below it.
 */
import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler, useLocation, type To } from 'react-router'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To
  /** Takes the place of the present entry of the history; so does a link to where one is. */
  replace?: boolean | undefined
  /** Kept with the entry of the history. */
  state?: unknown
}

export function Link({ to, replace, state, onClick, children, ...rest }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { replace, state, target: rest.target })
  return (
    <a
      {...rest}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    >
      {children}
    </a>
  )
}

/** A link of a navigation: it is marked while its page is shown. */
export function NavLink(props: LinkProps & { to: string }) {
  const isShown = useLocation().pathname === props.to.split(/[?#]/)[0]
  return <Link {...props} aria-current={isShown ? 'page' : undefined} />
}
