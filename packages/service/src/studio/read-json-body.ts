import type { z } from 'zod'
import { ApiError } from '../api/api-error.ts'
import type { HttpCall } from '../api/http-call.ts'
import { readOpenBody } from '../http/open-body.ts'

const maxBodyBytes = 8_192

/**
 * Returns the JSON body of a request without a key.
 *
 * @throws {ApiError} 400, 413, 415 or 422
 */
export async function readJsonBody<T>(call: HttpCall, schema: z.ZodType<T>): Promise<T> {
  // Pages of other origins cannot send this type without a preflight.
  if (!/^application\/json\b/i.test(call.header('content-type') ?? ''))
    throw new ApiError(415, 'Send the body as application/json.')
  const parsed = schema.safeParse(parse(await readOpenBody(call, maxBodyBytes)))
  if (parsed.success) return parsed.data
  const errors: Record<string, { messages: string[] }> = {}
  for (const { path, message } of parsed.error.issues) {
    const field = path.join('.') || 'general'
    errors[field] = { messages: [...(errors[field]?.messages ?? []), message] }
  }
  const [first] = Object.entries(errors)
  throw new ApiError(422, first ? `${first[0]}: ${first[1].messages[0]}` : 'The body is not valid.', { errors })
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ApiError(400, 'The body is not JSON.')
  }
}
