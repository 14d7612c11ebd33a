import { ArrowLeft, Mail, Trash2, Waypoints } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import type { OutboxItem } from '../../api/generated/resources.ts'
import { useRefusal } from '../../base/access.tsx'
import { ChannelPreview } from '../../preview/channel-preview.tsx'
import { useParameters } from '../../session/address.ts'
import { useRead, useSend } from '../../session/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Failure } from '../../ui/notice.tsx'
import { toast } from '../../ui/overlay/toasts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StepIcon, stepKind } from '../../ui/steps/step-kind.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import style from './outbox.module.css'
import { attachmentsOf, toPreview } from './outbox-content.ts'

const path = '/v1/studio/outbox'

/** Shows an outbox message as its recipient would see it, and marks it as read. */
export function OutboxItemView({ outboxId }: { readonly outboxId: string }): ReactNode {
  const read = useRead<OutboxItem>(`${path}/${encodeURIComponent(outboxId)}`)
  const { data: item, error } = read
  useMarkAsRead(item)
  if (item) return <LoadedItem item={item} />
  if (error?.details.status === 404)
    return (
      <Panel>
        <Empty
          icon={<Mail size={20} />}
          title="Message not found"
          action={<ButtonLink to="/outbox">All messages</ButtonLink>}
        >
          It was removed from the outbox, but its run still has it.
        </Empty>
      </Panel>
    )
  return (
    <Panel>
      {error ? (
        <Failure title="Couldn't load the message" error={error} onRetry={() => void read.refetch()} />
      ) : (
        <Skeleton rows={8} height={24} />
      )}
    </Panel>
  )
}

function useMarkAsRead(item: OutboxItem | undefined): void {
  const { mutate } = useSend([path])
  const mayMark = useRefusal('edit') === undefined
  const unreadId = mayMark && item?.readAt === null ? item._id : undefined
  useEffect(() => {
    if (unreadId !== undefined) mutate({ method: 'POST', path: `${path}/${unreadId}/read` })
  }, [unreadId, mutate])
}

function LoadedItem({ item }: { readonly item: OutboxItem }): ReactNode {
  const { channel, recipient, createdAt, content } = item
  const files = attachmentsOf(item)
  return (
    <Panel
      title={
        <span className={style['title']}>
          <StepIcon type={channel} />
          {stepKind(channel).text}
        </span>
      }
      aside={
        <span className={style['when']}>
          <TimeText at={createdAt} />
        </span>
      }
      actions={<ItemActions item={item} />}
      flush
    >
      <Tabs
        label="The message"
        tabs={[
          {
            key: 'preview',
            text: 'Preview',
            content: (
              <div className={style['preview']}>
                {channel !== 'email' && (
                  <p className={style['recipient']}>
                    To <strong>{recipient}</strong>
                  </p>
                )}
                <ChannelPreview type={channel} {...toPreview(item)} />
                {files.length > 0 && (
                  <p className={style['files']}>
                    {files.map((name) => (
                      <Badge key={name}>{name}</Badge>
                    ))}
                  </p>
                )}
              </div>
            ),
          },
          { key: 'raw', text: 'As sent to the provider', content: <JsonBlock value={content} label="the message" /> },
        ]}
      />
    </Panel>
  )
}

function ItemActions({ item }: { readonly item: OutboxItem }): ReactNode {
  const [, navigate] = useLocation()
  const [params] = useParameters()
  const back = params.size === 0 ? '/outbox' : `/outbox?${params}`
  const remove = useSend([path])
  const onRemove = (): void =>
    remove.mutate(
      { method: 'DELETE', path: `${path}/${item._id}` },
      {
        onSuccess: () => navigate(back),
        onError: (error) => toast("Couldn't delete the message", { description: error.message, tone: 'bad' }),
      },
    )
  return (
    <>
      <span className={style['back']}>
        <ButtonLink small to={back} icon={<ArrowLeft size={14} />}>
          All
        </ButtonLink>
      </span>
      <ButtonLink small to={`/runs/${item._notificationId}`} icon={<Waypoints size={14} />}>
        Run
      </ButtonLink>
      <Button
        needs="edit"
        small
        variant="quiet"
        aria-label="Delete this message"
        icon={<Trash2 size={14} />}
        busy={remove.isPending}
        onClick={onRemove}
      />
    </>
  )
}
