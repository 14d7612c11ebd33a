import type { JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { isObject, toObject } from '../../json/json.ts'
import { recordInboxChange } from '../../messages/record-inbox-change.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'

/** The state of a button that a recipient used. */
export interface ActionChange {
  /** Which button. */
  readonly type: 'primary' | 'secondary'
  /** Whether it is done. */
  readonly status: 'pending' | 'done'
  /** Data that came with it. */
  readonly payload?: JsonObject | undefined
  /** The time. */
  readonly nowMs: number
}

/**
 * Stores what a recipient did with a button of a message.
 *
 * @param tx - The transaction.
 * @param message - The message.
 * @param change - The button and its state.
 * @returns The message as it is then.
 * @throws {ApiError} The message has no such button.
 */
export async function changeAction(tx: Session, message: MessageRow, change: ActionChange): Promise<MessageRow> {
  const { type, status, payload, nowMs } = change
  const cta = toObject(JSON.parse(message.cta))
  const action = toObject(cta['action'])
  const buttons = Array.isArray(action['buttons']) ? action['buttons'].filter(isObject) : []
  if (!buttons.some((button) => button['type'] === type)) throw new ApiError(400, `The message has no ${type} action.`)
  const result = status === 'done' ? { type, ...(payload ? { payload } : {}) } : {}
  const row: MessageRow = {
    ...message,
    cta: JSON.stringify({ ...cta, action: { ...action, status, result } }),
    updatedAt: nowMs,
  }
  await tx.updateTable('messages').set({ cta: row.cta, updatedAt: nowMs }).where('id', '=', row.id).execute()
  await recordInboxChange(tx, row, { kind: 'changed', ids: [row.id], nowMs })
  return row
}
