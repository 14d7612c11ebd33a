import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ApiFailure } from '../api/api-failure.ts'
import { ownEntry } from '../base/own-entry.ts'
import type { Tone } from './badge.tsx'
import { Button } from './button.tsx'
import style from './notice.module.css'
import { toPathName } from './path-names.ts'

const icons = { neutral: Info, accent: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert }

export interface NoticeProps {
  /** The color. @default 'neutral' */
  readonly tone?: Tone
  /** The heading. */
  readonly title: ReactNode
  /** An error code, with a link to its page. */
  readonly code?: string | undefined
  /** Details. */
  readonly children?: ReactNode
  /** A button at the end. */
  readonly action?: ReactNode
}

export function Notice({ tone = 'neutral', title, code, children, action }: NoticeProps): ReactNode {
  const Icon = icons[tone]
  return (
    <div className={`${style['notice']} ${ownEntry(style, tone)}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon size={17} aria-hidden />
      <div className={style['text']}>
        <p className={style['title']}>{title}</p>
        {code !== undefined && <ErrorCode code={code} />}
        {children}
      </div>
      {action}
    </div>
  )
}

/** Shows an error code as a link to its page. */
export function ErrorCode({ code }: { readonly code: string }): ReactNode {
  return (
    <Link to={`/errors/${toPathName(code)}`} className={style['code']}>
      {code}
    </Link>
  )
}

export interface FailureProps {
  /** The error to show. */
  readonly error: ApiFailure
  /** The failed action, as the start of a sentence: `Couldn't load the runs`. */
  readonly title?: string
  readonly onRetry?: () => void
}

/** Shows why a request to the service failed. */
export function Failure({ error, title, onRetry }: FailureProps): ReactNode {
  const { fields = {}, errorId, code } = error.details
  const retry = onRetry && (
    <Button small onClick={onRetry}>
      Try again
    </Button>
  )
  return (
    <Notice tone="bad" title={title ?? error.message} code={code} action={retry}>
      {title !== undefined && <p>{error.message}</p>}
      {Object.keys(fields).length > 0 && (
        <ul className={style['fields']}>
          {Object.entries(fields).map(([field, messages]) => (
            <li key={field}>
              {field !== '' && <code>{field}</code>}
              {field !== '' && ': '}
              {messages.join(' ')}
            </li>
          ))}
        </ul>
      )}
      {errorId !== undefined && (
        <p>
          Look it up in the service log as <code>{errorId}</code>.
        </p>
      )}
    </Notice>
  )
}
