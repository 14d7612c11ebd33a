import type { JsonObject } from '@trestle/protocol'
import type { BridgeCallRow } from '../../store/schema/trace.ts'

/** Returns a bridge call in the API format. Its secrets were masked when it was stored. */
export function showCall(row: BridgeCallRow): JsonObject {
  return {
    _id: row.id,
    _environmentId: row.environmentId,
    _notificationId: row.runId,
    _jobId: row.jobId,
    action: row.action,
    url: row.url,
    request: JSON.parse(row.request),
    reply: row.reply === null ? null : JSON.parse(row.reply),
    status: row.status,
    durationMs: row.durationMs,
    createdAt: new Date(row.createdAt).toISOString(),
  }
}
