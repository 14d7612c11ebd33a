import { Mail, MailOpen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { OutboxItem } from '../../api/generated/resources.ts'
import type { CursorPage } from '../../api/page.ts'
import { useAddress } from '../../session/address.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CursorList } from '../../ui/data/cursor-list.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { ConfirmButton } from '../../ui/overlay/confirm-button.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { usePathNames } from '../../ui/path-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import style from './outbox.module.css'
import { OutboxFilters, outboxFilters } from './outbox-filters.tsx'
import { OutboxItemView } from './outbox-item.tsx'
import { OutboxList } from './outbox-list.tsx'

const path = '/v1/studio/outbox'
const pageSize = 30

/** Shows messages that no integration delivers: a list and the open message. */
export function OutboxPage(): ReactNode {
  const { outboxId } = usePathNames<{ outboxId?: string }>()
  const address = useAddress()
  const filters = Object.fromEntries(outboxFilters.map((name) => [name, address.get(name)]))
  const query = { ...filters, ...address.cursor, limit: pageSize }
  const items = useRead<CursorPage<OutboxItem>>(path, { query, keep: true })
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const page = items.data
  const isEmpty = page?.data.length === 0 && address.isFirst && outboxId === undefined
  const noItems = (
    <NoItems
      isFiltered={isFiltered}
      onClear={() => address.choose(Object.fromEntries(outboxFilters.map((name) => [name, undefined])))}
    />
  )
  return (
    <Page
      title="Outbox"
      lead="Emails, SMS and other messages that no integration delivers, as they would have been sent."
      actions={<ClearButton disabled={!page || page.data.length === 0} />}
      wide
    >
      <OutboxFilters address={address} />
      {items.error && (
        <Failure title="Couldn't load the outbox" error={items.error} onRetry={() => void items.refetch()} />
      )}
      {isEmpty ? (
        <Panel>{noItems}</Panel>
      ) : (
        <div className={`${style['columns']} ${outboxId === undefined ? '' : style['reading']}`}>
          <div className={style['list']}>
            <Panel flush>
              {page && (
                <CursorList page={page} address={address} nouns={['message', 'messages']} empty={noItems}>
                  <OutboxList items={page.data} openId={outboxId} />
                </CursorList>
              )}
              {!page && <ListSkeleton />}
            </Panel>
          </div>
          <div className={style['item']}>
            {outboxId === undefined ? <NothingOpen /> : <OutboxItemView key={outboxId} outboxId={outboxId} />}
          </div>
        </div>
      )}
    </Page>
  )
}

/** Stays mounted while the outbox is emptied, because it handles the result. */
function ClearButton({ disabled }: { readonly disabled: boolean }): ReactNode {
  const [, navigate] = useLocation()
  const clear = useSend<{ removed: number }>([path])
  const onClear = (close: () => void): void =>
    clear.mutate(
      { method: 'DELETE', path },
      {
        onSuccess: ({ removed }) => {
          close()
          navigate('/outbox')
          toast(removed === 1 ? '1 message deleted' : `${removed} messages deleted`)
        },
        onError: (error) => toast("Couldn't empty the outbox", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <ConfirmButton
      needs="edit"
      disabled={disabled}
      icon={<Trash2 size={15} />}
      question="Empty the outbox?"
      consequence="All messages in this environment's outbox are deleted. Their runs keep them."
      verb="Delete all messages"
      busy={clear.isPending}
      onConfirm={onClear}
    >
      Empty the outbox
    </ConfirmButton>
  )
}

function NoItems({ isFiltered, onClear }: { readonly isFiltered: boolean; onClear(): void }): ReactNode {
  if (isFiltered)
    return (
      <Empty
        icon={<Mail size={20} />}
        title="No matching messages"
        action={<Button onClick={onClear}>Show all</Button>}
      >
        Messages sent through integrations are not in the outbox. Find them in their run.
      </Empty>
    )
  return (
    <Empty
      icon={<Mail size={20} />}
      title="No messages yet"
      action={<ButtonLink to="/trigger">Trigger a workflow</ButtonLink>}
    >
      Without an integration, emails and SMS do not leave this machine. They appear here, as their recipient would see
      them.
    </Empty>
  )
}

function NothingOpen(): ReactNode {
  return (
    <Panel>
      <Empty icon={<MailOpen size={20} />} title="Choose a message">
        It opens here as its recipient would see it.
      </Empty>
    </Panel>
  )
}

function ListSkeleton(): ReactNode {
  return (
    <div className={style['skeleton']}>
      <Skeleton rows={6} height={44} />
    </div>
  )
}
