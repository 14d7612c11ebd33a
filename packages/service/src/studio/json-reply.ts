import type { HttpReply } from '../api/http-call.ts'
import { jsonHeaders } from '../http/error-reply.ts'

/** Returns a JSON response, for studio pages only. */
export const toJson = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { ...jsonHeaders, 'cross-origin-resource-policy': 'same-origin', ...headers },
  body: JSON.stringify(body),
})
