import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { ownEntry } from '../base/own-entry.ts'
import style from './button.module.css'

/** How a button looks: one `primary` on a page at most. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

/** What every button is given. */
interface Look {
  /** How it looks. @default 'plain' */
  readonly variant?: ButtonVariant
  /** Shown before the text. */
  readonly icon?: ReactNode
  /** Whether it is smaller than a control of a form. @default false */
  readonly small?: boolean
}

/** What a button is given, beside the attributes of `<button>`. */
export interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Whether its work goes on; it cannot be pressed then. @default false */
  readonly busy?: boolean
}

/** Starts something. A button with an icon only needs an `aria-label`. */
export function Button({ variant, icon, small, busy = false, children, ...rest }: ButtonProps): ReactNode {
  const off = busy || rest.disabled === true
  const [isFocused, note] = useState(false)
  // The keyboard would lose its place with a button that is disabled under it, so that one only does nothing.
  const isHeld = off && isFocused
  return (
    <button
      type="button"
      {...rest}
      disabled={off && !isHeld}
      aria-disabled={isHeld || undefined}
      aria-busy={busy || undefined}
      className={classOf({ variant, small, bare: children === undefined }, rest.className)}
      onFocus={(event) => {
        note(true)
        rest.onFocus?.(event)
      }}
      onBlur={(event) => {
        note(false)
        rest.onBlur?.(event)
      }}
      onClick={(event) => (off ? event.preventDefault() : rest.onClick?.(event))}
    >
      {busy ? <LoaderCircle className={style['spin']} aria-hidden size={15} /> : icon}
      {children}
    </button>
  )
}

/** What a link that looks like a button is given. */
export interface ButtonLinkProps extends Look {
  /** Path within the studio. */
  readonly to: string
  /** Its text. */
  readonly children: ReactNode
}

/** Leads to a page, and looks like a button. */
export function ButtonLink({ variant, icon, small, to, children }: ButtonLinkProps): ReactNode {
  return (
    <Link to={to} className={classOf({ variant, small, bare: false })}>
      {icon}
      {children}
    </Link>
  )
}

function classOf(
  look: { variant: ButtonVariant | undefined; small: boolean | undefined; bare: boolean },
  own = '',
): string {
  const { variant = 'plain', small = false, bare } = look
  return [style['button'], ownEntry(style, variant), small && style['small'], bare && style['bare'], own]
    .filter(Boolean)
    .join(' ')
}
