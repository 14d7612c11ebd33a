import { blankMessage } from '../store/blank-rows.ts'
import { createId } from '../store/create-id.ts'
import type { MessageRow } from '../store/schema/message.ts'
import type { ChannelPort, Delivery } from './port/channel-port.ts'

/** Options of test channels. */
export interface TestChannelOptions {
  /** Additional columns of a message, such as `read`. */
  readonly patch?: (delivery: Delivery) => Partial<MessageRow>
  /** Whether the messages of a step must be sent to a provider. @default never */
  readonly isSent?: (delivery: Delivery) => boolean
  readonly send?: ChannelPort['send']
}

/** Creates channels that only store one row per message. */
export function createTestChannels(options: TestChannelOptions = {}): ChannelPort {
  return {
    createContent: async ({ outputs, providers }) => ({ outputs, providers, missing: [] }),
    async store(tx, delivery) {
      const pending = options.isSent?.(delivery) ?? false
      const row = { ...toRow(delivery, pending), ...options.patch?.(delivery) }
      const stored = await tx
        .insertInto('messages')
        .values(row)
        .onConflict((conflict) => conflict.column('dedupeKey').doNothing())
        .returning('id')
        .execute()
      const status = pending ? 'Pending' : 'Success'
      return {
        pending: pending ? stored.map(({ id }) => id) : [],
        notes: [{ detail: pending ? 'Message created' : 'Message sent', status, messageId: row.id }],
        providerId: null,
      }
    },
    send: options.send ?? (async () => ({ patch: { status: 'sent' }, notes: [] })),
  }
}

function toRow({ run, job, subscriber, content: { outputs }, nowMs }: Delivery, pending: boolean): MessageRow {
  const { subject, body } = outputs
  return {
    ...blankMessage,
    id: createId(nowMs),
    environmentId: run.environmentId,
    dedupeKey: job.id,
    runId: run.id,
    jobId: job.id,
    workflowId: run.workflowId,
    workflowIdentifier: run.workflowIdentifier,
    subscriberId: subscriber.id,
    transactionId: run.transactionId,
    channel: job.type,
    status: pending ? 'pending' : 'sent',
    subject: typeof subject === 'string' ? subject : null,
    content: JSON.stringify(body ?? null),
    payload: run.payload,
    overrides: run.overrides,
    tags: run.tags,
    severity: run.severity,
    critical: run.critical,
    contextKeys: run.contextKeys,
    createdAt: nowMs,
    updatedAt: nowMs,
  }
}
