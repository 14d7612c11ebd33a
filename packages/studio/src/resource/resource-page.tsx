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

/** A kind of resource, used for the texts and links of its pages. */
export interface ResourceKind {
  /** The singular name, such as `tenant`. */
  readonly noun: string
  /** The path of the list page. */
  readonly list: { readonly to: string; readonly text: string }
}

/** Props of a resource page while the resource is loading. */
export interface ResourcePageProps<T> {
  /** The kind of resource. */
  readonly kind: ResourceKind
  /** The heading until the resource is loaded. */
  readonly title: string
  /** The query for the resource. */
  readonly read: { readonly data: T | undefined; readonly error: ApiFailure | null; refetch(): unknown }
  /** Whether the resource does not exist. @default whether the service returns 404 */
  readonly isMissing?: boolean
  /** Renders the page of the loaded resource. */
  children(resource: T): ReactNode
}

/** Shows a resource's page once it is loaded; until then, a loading state, or why it is unavailable. */
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

/** Props of a delete button. */
export interface DeleteResourceProps {
  /** The kind of resource. */
  readonly kind: ResourceKind
  readonly name: string
  /** The API path of the resource. */
  readonly path: string
  /** Paths to refetch. */
  readonly touches: readonly string[]
  /** The kind of action, for permissions. @default 'edit' */
  readonly needs?: Need
  /** What happens. */
  readonly consequence: ReactNode
}

/** Deletes a resource after a confirmation, then opens the list. */
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

/** Props of a form with side panels. */
export interface ColumnsProps {
  /** The form. */
  readonly main: ReactNode
  /** The side panels. */
  readonly side: ReactNode
  /** Whether the form and the panels are equally wide. @default false */
  readonly even?: boolean
}

/** Shows a form with side panels. */
export function Columns({ main, side, even = false }: ColumnsProps): ReactNode {
  return (
    <div className={`${style['columns']} ${even ? style['even'] : ''}`}>
      {main}
      <div className={style['side']}>{side}</div>
    </div>
  )
}
