/**
 * Links within the site. They are made of two public hooks of the router: its own component would
 * add three kilobytes to every page.
 */
import type { ComponentProps } from 'react'
import { useHref, useLinkClickHandler, useLocation, type To } from 'react-router'

export interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To
  /** Replaces the current history entry; so does a link to the current page. */
  replace?: boolean | undefined
  /** Stored with the history entry. */
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

/** A link of a navigation: it is marked while its page is open. */
export function NavLink(props: LinkProps & { to: string }) {
  const isShown = useLocation().pathname === props.to.split(/[?#]/)[0]
  return <Link {...props} aria-current={isShown ? 'page' : undefined} />
}
