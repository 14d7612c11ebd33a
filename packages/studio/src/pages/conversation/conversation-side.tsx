import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Conversation, EventDelivery } from '../../api/generated/resources.ts'
import { SubscriberLink } from '../../resource/subscriber-link.tsx'
import { Button } from '../../ui/button.tsx'
import { JsonBlock } from '../../ui/data/code-block.tsx'
import { Facts, type FactsProps } from '../../ui/data/facts.tsx'
import { Panel } from '../../ui/panel.tsx'
import { toPathName } from '../../ui/path-names.ts'
import { TimeText } from '../../ui/time-text.tsx'
import style from './conversation.module.css'
import { DeliveryMark } from './delivery-mark.tsx'
import type { Acts } from './use-acts.ts'

const shownDeliveries = 20

export interface ConversationSideProps {
  readonly conversation: Conversation
  /** The available actions. */
  readonly acts: Acts
}

/** Shows the details of a conversation: the user, the agent's metadata, the events. */
export function ConversationSide({ conversation, acts }: ConversationSideProps): ReactNode {
  const { metadata, deliveries } = conversation
  return (
    <div className={style['side']}>
      <Panel title="Details">
        <Facts facts={factsOf(conversation)} />
      </Panel>
      <Panel title="Metadata">
        {Object.keys(metadata).length === 0 ? (
          <p className={style['faint']}>
            No metadata yet. <code>setMetadata()</code> does.
          </p>
        ) : (
          <JsonBlock value={metadata} label="the metadata" />
        )}
      </Panel>
      <Panel title="Events" flush>
        <Deliveries deliveries={deliveries} acts={acts} />
      </Panel>
    </div>
  )
}

function factsOf(conversation: Conversation): FactsProps['facts'] {
  const { _id, agentId, subscriberId, platform, messageCount, createdAt } = conversation
  const agent = <Link to={`/agents/${toPathName(agentId)}`}>{agentId}</Link>
  const subscriber = subscriberId !== undefined && <SubscriberLink subscriberId={subscriberId} />
  const started = <TimeText at={createdAt} />
  const identifier = <code>{_id}</code>
  return [
    ['Agent', agent],
    ['Subscriber', subscriber],
    ['Platform', platform],
    ['Messages', messageCount],
    ['Started', started],
    ['Identifier', identifier],
  ]
}

interface DeliveriesProps {
  readonly deliveries: readonly EventDelivery[]
  readonly acts: Acts
}

function Deliveries({ deliveries, acts }: DeliveriesProps): ReactNode {
  if (deliveries.length === 0) return <p className={style['inset']}>No events were sent to the bridge yet.</p>
  return (
    <>
      <ol className={style['deliveries']} aria-label="Events, most recent first">
        {deliveries
          .slice(-shownDeliveries)
          .toReversed()
          .map((delivery) => (
            <li key={delivery.deliveryId}>
              <code>{delivery.event}</code>
              <TimeText at={delivery.createdAt} />
              <DeliveryMark delivery={delivery} />
              {delivery.status === 'failed' && (
                <Button
                  needs="edit"
                  small
                  icon={<RotateCw size={13} />}
                  onClick={() => acts.sendAgain(delivery.deliveryId)}
                >
                  Send again
                </Button>
              )}
              {delivery.lastError && <p>{delivery.lastError.message}</p>}
            </li>
          ))}
      </ol>
      {deliveries.length > shownDeliveries && <p className={style['inset']}>The latest {shownDeliveries} are shown.</p>}
    </>
  )
}
