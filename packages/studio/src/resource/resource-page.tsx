import { SearchX, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { ApiFailure } from '../api/api-failure.ts'
import type { Need } from '../base/access.tsx'
import { useSend } from '../session/queries.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/notice.tsx'
import { ConfirmButton } from '../ui/overlay/confirm-button.tsx'
import { toast } from '../ui/overlay/toasts.tsx'
import { Page } from '../ui/page.tsx'
import { Panel } from '../ui/panel.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import style from './resource.module.css'

/** A kind of resource, for texts and links of its pages. */
export interface ResourceKind {
  /** One of them: `tenant`. */
  readonly noun: string
  /** The page that lists them. */
  readonly list: { readonly to: string; readonly text: string }
}

/** What the page of a resource is given until the resource is read. */
export interface ResourcePageProps<T> {
  /** The kind of resource. */
  readonly kind: ResourceKind
  /** Its heading until it is read. */
  readonly title: string
  /** What is read. */
  readonly read: { readonly data: T | undefined; readonly error: ApiFailure | null; refetch(): unknown }
  /** Whether it is known not to exist. @default whether the service answers 404 */
  readonly isMissing?: boolean
  /** Shows the page of the resource. */
  children(resource: T): ReactNode
}

/** Shows the page of a resource once it is read; until then, that it is being read, or why it is not there. */
export function ResourcePage<T>({ kind, title, read, children, ...rest }: ResourcePageProps<T>): ReactNode {
  const { data, error } = read
  const { isMissing = error?.details.status === 404 } = rest
  if (data !== undefined) return children(data)
  const noun = `${kind.noun.charAt(0).toUpperCase()}${kind.noun.slice(1)}`
  return (
    <Page title={title} trail={[kind.list]}>
      {error && !isMissing ? (
        <Failure title={`Couldn't load the ${kind.noun}`} error={error} onRetry={() => void read.refetch()} />
      ) : (
        <Panel>
          {isMissing ? (
            <Empty
              icon={<SearchX size={20} />}
              title={`${noun} not found`}
              action={<ButtonLink to={kind.list.to}>All {kind.list.text.toLowerCase()}</ButtonLink>}
            >
              It was deleted, or belongs to another environment.
            </Empty>
          ) : (
            <Skeleton rows={6} height={28} />
          )}
        </Panel>
      )}
    </Page>
  )
}

/** What a button that deletes a resource is given. */
export interface DeleteResourceProps {
  /** The kind of resource. */
  readonly kind: ResourceKind
  /** Its name. */
  readonly name: string
  /** Its path in the API. */
  readonly path: string
  /** Paths whose answers change. */
  readonly touches: readonly string[]
  /** What deleting it does. @default 'edit' */
  readonly needs?: Need
  /** What happens. */
  readonly consequence: ReactNode
}

/** Deletes a resource after a confirmation, and goes to the list. */
export function DeleteResource({
  kind,
  name,
  path,
  touches,
  needs = 'edit',
  consequence,
}: DeleteResourceProps): ReactNode {
  const [, navigate] = useLocation()
  const remove = useSend(touches)
  const onRemove = (close: () => void): void =>
    remove.mutate(
      { method: 'DELETE', path },
      {
        onSuccess: () => {
          close()
          navigate(kind.list.to)
          toast(`${name} is deleted`)
        },
        onError: (error) => toast(`Couldn't delete the ${kind.noun}`, { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <ConfirmButton
      needs={needs}
      icon={<Trash2 size={15} />}
      question={`Delete ${name}?`}
      consequence={consequence}
      verb="Delete"
      busy={remove.isPending}
      onConfirm={onRemove}
    >
      Delete
    </ConfirmButton>
  )
}

/** What a form with panels at its side is given. */
export interface ColumnsProps {
  /** The form. */
  readonly main: ReactNode
  /** The panels at its side. */
  readonly side: ReactNode
  /** Whether both are equally wide. @default false */
  readonly even?: boolean
}

/** Shows a form, with panels at its side. */
export function Columns({ main, side, even = false }: ColumnsProps): ReactNode {
  return (
    <div className={`${style['columns']} ${even ? style['even'] : ''}`}>
      {main}
      <div className={style['side']}>{side}</div>
    </div>
  )
}
