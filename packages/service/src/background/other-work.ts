import type { Outbound } from '@trestle/bridge-client'
import type { Logger } from 'pino'
import type { BridgeSettings } from '../bridge/bridge-port.ts'
import type { BridgeTarget } from '../bridge/bridge-target.ts'
import type { ServiceAddress } from '../context/service-address.ts'
import type { ConversationPorts } from '../conversations/base/conversation-ports.ts'
import { deliveryKind } from '../conversations/base/queue-delivery.ts'
import type { DeliverySender } from '../conversations/delivery/delivery-outcome.ts'
import { runDelivery } from '../conversations/delivery/run-delivery.ts'
import { createBridgeSender } from '../conversations/delivery/send-to-bridge.ts'
import { createMailSender } from '../conversations/email/send-to-mail.ts'
import { createSlackSender, type SlackSenderPorts } from '../conversations/slack/send-to-slack.ts'
import type { OtherWork } from '../engine/work/job-handler.ts'
import { deliverMail } from '../inbound-mail/deliver-mail.ts'
import { inboundMailKind } from '../inbound-mail/queue-mail.ts'
import type { TakenItem } from '../queue/queue.ts'
import type { Vault } from '../secrets/vault.ts'
import { deliverWebhook } from '../webhooks/deliver-webhook.ts'
import type { EventRecorder } from '../webhooks/event-recorder.ts'
import { webhookKind } from '../webhooks/queue-webhook.ts'
import { continueRemoval, deletedRowsKind } from './deleted-rows.ts'
import { removalKind, removeRows } from './remove-rows.ts'

/** Dependencies of background work outside workflow runs. */
export interface OtherWorkParts {
  readonly conversations: ConversationPorts
  readonly events: EventRecorder
  readonly outbound: Outbound
  readonly vault: Vault
  readonly bridgeSettings: BridgeSettings
  readonly address: ServiceAddress
  readonly loadTarget: (environmentId: string) => Promise<BridgeTarget>
  readonly logger: Logger
  /** How long a webhook endpoint may fail before it is disabled, in milliseconds. */
  readonly disableAfterMs: number
}

/** Creates the handlers for deliveries to agents, platforms and webhooks, and for the removal of deleted rows. */
export function createOtherWork(parts: OtherWorkParts): OtherWork {
  const { conversations, events, outbound, vault, bridgeSettings, address, loadTarget, logger, disableAfterMs } = parts
  const { store } = conversations
  const senders = {
    bridge: createBridgeSender({ store, bridgeSettings, loadTarget, apiUrl: address.read }),
    platform: createPlatformSender({ store, vault, outbound }),
  }
  const deliveryWork = { ...conversations, senders, logger }
  const mailDelivery = { ...conversations, outbound, loadTarget }
  const webhookWork = { ...mailDelivery, vault, logger, disableAfterMs, forget: events.forget }
  return {
    [deliveryKind]: (item: TakenItem, signal: AbortSignal) => runDelivery(deliveryWork, item, signal),
    [webhookKind]: (item: TakenItem, signal: AbortSignal) => deliverWebhook(webhookWork, item, signal),
    [inboundMailKind]: (item: TakenItem, signal: AbortSignal) => deliverMail(mailDelivery, item, signal),
    [removalKind]: (item: TakenItem) => removeRows(conversations, item),
    [deletedRowsKind]: (item: TakenItem) => continueRemoval(conversations, item),
  }
}

function createPlatformSender(ports: SlackSenderPorts): DeliverySender {
  const slack = createSlackSender(ports)
  const mail = createMailSender(ports)
  return (delivered, signal) => (delivered.conversation.platform === 'email' ? mail : slack)(delivered, signal)
}
