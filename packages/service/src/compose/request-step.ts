import { type Outbound, OutboundError } from '@trestle/bridge-client'
import { isObject, type JsonObject, parseJson } from '@trestle/protocol'
import { z } from 'zod'
import { jsonObject } from '../api/input.ts'
import { findPayloadFaults, UnusableSchemaError } from '../schemas/check-payload.ts'
import { ComposeError } from './compose-error.ts'

const pair = z.object({ key: z.string().min(1), value: z.string() })
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const fields = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'], 'must be an HTTP method'),
  url: z.string('must be a URL').min(1, 'must be a URL'),
  headers: z.array(pair, 'must be a list of { key, value }').optional(),
  body: z.union([z.string(), z.array(pair)], 'must be a string, or a list of { key, value }').optional(),
  responseBodySchema: jsonObject().optional(),
  enforceSchemaValidation: z.boolean().optional(),
  continueOnFailure: z.boolean().optional(),
})
type Controls = z.infer<typeof fields>

/** The controls. A form may contain an empty body for any method. */
const shape = fields.superRefine(({ method, body = '' }, { addIssue }) => {
  if (!bodiless.has(method) || body.length === 0) return
  addIssue({ code: 'custom', path: ['body'], message: `is not sent with ${method}: remove it, or use another method` })
})

/** The names of the controls. */
export const requestControlNames: readonly string[] = Object.freeze(Object.keys(fields.shape))

/** Dependencies for sending a step's request. */
export interface RequestStepOptions {
  /** Sends it under the network policy. */
  readonly outbound: Pick<Outbound, 'send'>
  /** The receiver's idempotency key. */
  readonly idempotencyKey: string | undefined
  readonly signal: AbortSignal | undefined
  readonly owner: string
}

/**
 * Sends the request of an HTTP step, and returns the JSON object in the response; empty if the step continues after a
 * failure.
 *
 * @param controls - The rendered controls: `method`, `url`, `headers`, `body`, `responseBodySchema`,
 * `enforceSchemaValidation`, `continueOnFailure`.
 * @param options - Dependencies.
 * @throws {ComposeError} The controls are invalid, or the request failed.
 */
export async function runRequestStep(controls: JsonObject, options: RequestStepOptions): Promise<JsonObject> {
  const parsed = shape.safeParse(controls)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({ path: `/${path.join('/')}`, message }))
    const faultText = faults.map(({ path, message }) => `${path.slice(1).replaceAll('/', '.')} ${message}`).join('; ')
    throw new ComposeError('ExecutionEventControlInvalidError', `The request is invalid: ${faultText}.`, faults)
  }
  try {
    return await send(parsed.data, options)
  } catch (error) {
    if (options.signal?.aborted || !(error instanceof ComposeError) || !parsed.data.continueOnFailure) throw error
    return {}
  }
}

async function send(
  controls: Controls,
  { outbound, idempotencyKey, signal, owner }: RequestStepOptions,
): Promise<JsonObject> {
  const { method, url, headers = [] } = controls
  const body = bodiless.has(method) ? undefined : toBody(controls.body)
  const given = Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value]))
  const standard = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
  }
  const request = { method, url, headers: { ...standard, ...given }, ...(body === undefined ? {} : { body }) }
  const reply = await outbound.send(request, signal).catch((error: unknown) => {
    if (error instanceof OutboundError) throw failed(`${error.code}: ${error.message}`)
    throw error
  })
  if (reply.status < 200 || reply.status > 299) throw failed(`the response has the status ${reply.status}`)
  const result = toResult(reply.text)
  await checkResult(controls, result, owner)
  return result
}

function toBody(body: Controls['body']): string | undefined {
  return Array.isArray(body) ? JSON.stringify(Object.fromEntries(body.map(({ key, value }) => [key, value]))) : body
}

/** A step's result is an object; any other response becomes its field `body`. */
function toResult(text: string): JsonObject {
  if (text === '') return {}
  const value = parseJson(text)
  return isObject(value) ? value : { body: value === undefined ? text : value }
}

async function checkResult(
  { enforceSchemaValidation, responseBodySchema }: Controls,
  result: JsonObject,
  owner: string,
): Promise<void> {
  if (!enforceSchemaValidation || !responseBodySchema) return
  try {
    const [fault] = await findPayloadFaults({ schema: JSON.stringify(responseBodySchema), value: result, owner })
    if (fault) throw failed(`the response does not match its schema: ${fault.field} ${fault.message}`)
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error
    throw failed(`the response schema is invalid: ${error.message}`)
  }
}

const failed = (reason: string): ComposeError =>
  new ComposeError('StepExecutionFailedError', `The request of the step failed: ${reason}.`)
