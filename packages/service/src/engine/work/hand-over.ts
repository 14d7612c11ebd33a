import { sql } from 'kysely'
import { createQueryKey, runPrepared } from '../../store/prepared.ts'
import type { SentMessage } from '../port/channel-port.ts'
import type { EnginePorts } from '../port/engine-ports.ts'
import type { HeldJob } from '../run/held-job.ts'

const handOverQuery = createQueryKey('count a hand-over')

/**
 * The maximum number of hand-overs without a stored response. Each time, the provider may have accepted the message.
 */
export const maxHandOvers = 3

/**
 * Sends a message to its provider. Counts the attempt first, so that the count is correct even if this process ends
 * before it has stored the response. Does nothing if this process no longer holds the step.
 *
 * @param messageId - Row id of the message.
 * @returns The outcome; `undefined` if the message is no longer pending, or another process holds the step.
 */
export async function handOver(ports: EnginePorts, held: HeldJob, messageId: string): Promise<SentMessage | undefined> {
  const { db } = ports.store
  const values = [1, messageId, 'pending', held.job.id, held.claim, 'running'] as const
  const { rows } = await runPrepared(db, {
    key: handOverQuery,
    values,
    build: () =>
      db
        .updateTable('messages')
        .set((row) => ({ handOvers: row('handOvers', '+', 1) }))
        .where('id', '=', messageId)
        .where('status', '=', 'pending')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('jobs')
              .select(sql.lit(1).as('one'))
              .where('id', '=', held.job.id)
              .where('claim', '=', held.claim)
              .where('status', '=', 'running'),
          ),
        )
        .returning(['handOvers', 'providerId']),
  })
  const [row] = rows
  if (!row) return undefined
  return row.handOvers > maxHandOvers ? toUnknownDelivery(messageId, row.providerId) : ports.channels.send(messageId)
}

function toUnknownDelivery(messageId: string, providerId: string | null): SentMessage {
  const code = 'delivery_unknown'
  const text = `The service stopped ${maxHandOvers} times while handing the message over, before the answer was stored. The provider may have accepted it, so it is not handed over again.`
  return {
    patch: { status: 'error', errorId: code, errorText: text, delivery: null, retryAt: null },
    notes: [
      {
        ...{ detail: text, status: 'Failed', source: 'Internal', messageId },
        ...(providerId ? { providerId } : {}),
        raw: { code, message: text, handOvers: maxHandOvers },
      },
    ],
  }
}
