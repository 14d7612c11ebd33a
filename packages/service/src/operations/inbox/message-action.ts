import { isObject, type JsonObject } from '@trestle/protocol'
import { ApiError } from '../../api/api-error.ts'
import { toObject } from '../../json/json.ts'
import { recordInboxChange } from '../../messages/record-inbox-change.ts'
import type { MessageRow } from '../../store/schema/message.ts'
import type { Session } from '../../store/store.ts'

/** The state of a button. */
export interface ActionChange {
  readonly type: 'primary' | 'secondary'
  /** Whether the button was used. */
  readonly status: 'pending' | 'done'
  /** Data sent with the action. */
  readonly payload?: JsonObject | undefined
  readonly nowMs: number
}

/**
 * Saves the state of a message button.
 *
 * @param tx - The transaction.
 * @returns The changed message.
 * @throws {ApiError} 400 if the message does not have the button.
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
