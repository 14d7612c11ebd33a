import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type Need, useRefusal } from '../base/access.tsx'
import { useUnsendable } from '../base/json-scope.tsx'
import { ownEntry } from '../base/own-entry.ts'
import style from './button.module.css'

/** The style of a button; at most one `primary` per page. */
export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

/** Props of all buttons. */
interface Look {
  /** The style. @default 'plain' */
  readonly variant?: ButtonVariant
  readonly icon?: ReactNode
  /** Whether it is smaller than form controls. @default false */
  readonly small?: boolean
}

/** Props of a button, in addition to the attributes of `<button>`. */
export interface ButtonProps extends Look, Omit<ComponentProps<'button'>, 'title'> {
  /** Whether the action is in progress, which disables the button. @default false */
  readonly busy?: boolean
  /** The kind of action; users whose role does not permit it cannot press the button. @default nothing */
  readonly needs?: Need | undefined
  /** Whether it sends the values of its page or dialog. @default whether its type is submit */
  readonly sends?: boolean
  /** Its tooltip; if the button is disabled, the reason. @default the `aria-label` of a button with only an icon */
  readonly tip?: string | undefined
}

/** A button. A button with only an icon needs an `aria-label`. */
export function Button(props: ButtonProps): ReactNode {
  const { variant, icon, small, busy = false, needs, sends = props.type === 'submit', tip, children, ...rest } = props
  const unsendable = useUnsendable()
  const refusal = useRefusal(needs) ?? (sends ? unsendable : undefined)
  const off = busy || rest.disabled === true || refusal !== undefined
  const [isFocused, note] = useState(false)
  const reason = refusal ?? (rest.disabled === true ? tip : undefined)
  // A disabled button would lose focus and show no tooltip, so it only ignores clicks.
  const isHeld = off && (isFocused || reason !== undefined)
  return (
    <button
      type="button"
      {...rest}
      data-tip={reason ?? tip ?? (children === undefined ? rest['aria-label'] : undefined)}
      aria-description={reason}
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

export interface ButtonLinkProps extends Look {
  /** Path within the studio. */
  readonly to: string
  /** Its text. */
  readonly children: ReactNode
}

/** A link that looks like a button. */
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
