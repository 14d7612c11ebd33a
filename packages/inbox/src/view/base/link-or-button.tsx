import type { MouseEvent, ReactElement, ReactNode } from 'react'
import type { Redirect } from '../../wire/resources.ts'
import { toLink } from './safe-url.ts'

interface LinkOrButtonProps {
  readonly className: string
  readonly redirect: Redirect | undefined
  readonly tabIndex: number
  readonly 'data-type'?: string
  readonly 'data-completed'?: boolean
  readonly 'aria-disabled'?: boolean
  onClick(event: MouseEvent): void
  readonly children: ReactNode
}

/** Shows a link if there is a target, otherwise a button. */
export function LinkOrButton({ redirect, children, ...rest }: LinkOrButtonProps): ReactElement {
  const link = toLink(redirect)
  if (link)
    return (
      <a {...rest} href={link.href} target={link.target} rel="noopener noreferrer">
        {children}
      </a>
    )
  return (
    <button type="button" {...rest}>
      {children}
    </button>
  )
}
