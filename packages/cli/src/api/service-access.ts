import { isApiError } from '@trestle/api-client'
import { isObject, parseJson } from '@trestle/protocol'
import { cleanText } from '../base/clean-text.ts'
import { toConnectionProblem } from '../base/connection-problem.ts'
import { errorText } from '../catalogue/error-texts.ts'
import { CommandError } from '../terminal/command-error.ts'

/** A notification service, and the secret key of one of its environments. */
export interface ServiceAccess {
  /** Base address of the REST API, without the version. */
  readonly apiUrl: string
  readonly key: string
}

/** The default address of the `trestle dev` service, if its port is free. */
export const localApiUrl = 'http://127.0.0.1:3737'

/** The service rejected a call. */
export class ServiceError extends CommandError {
  /** The HTTP status. */
  readonly status: number

  constructor(status: number, message: string, rest: ConstructorParameters<typeof CommandError>[1]) {
    super(message, rest)
    this.status = status
  }
}

const whereIsIt = 'Start it with trestle dev, or pass its address with --api URL.'

/**
 * Calls a service operation that the API client does not have, such as those of the studio.
 *
 * @param request - Method, path with its version, and body.
 * @returns The response body, without its envelope.
 * @throws {CommandError} The service cannot be reached, or rejects the call.
 */
export async function callService(
  { apiUrl, key }: ServiceAccess,
  request: { readonly method: string; readonly path: string; readonly body?: unknown; readonly signal?: AbortSignal },
): Promise<unknown> {
  const { method, path, body, signal } = request
  const response = await openService({ apiUrl, key }, { method, path, body, ...(signal && { signal }) })
  const text = await response.text()
  const answer: unknown = text === '' ? undefined : readAnswer(text, apiUrl)
  return isObject(answer) && Object.keys(answer).join() === 'data' ? answer['data'] : answer
}

/** Checks that the response is JSON, because another server may listen there, such as the app itself. */
function readAnswer(text: string, apiUrl: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError(`The server at ${apiUrl} is not a notification service: its response is not JSON.`, {
      code: 'UnexpectedStatus',
      fix: whereIsIt,
      cause,
    })
  }
}

/**
 * Calls a service operation and returns its unread response, such as an event stream.
 *
 * @param request - Method, path with its version, and body.
 * @throws {CommandError} The service cannot be reached, or rejects the call.
 */
export async function openService(
  { apiUrl, key }: ServiceAccess,
  request: { readonly method: string; readonly path: string; readonly body?: unknown; readonly signal?: AbortSignal },
): Promise<Response> {
  const { method, path, body, signal } = request
  const response = await fetch(`${apiUrl.replace(/\/$/, '')}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      authorization: `ApiKey ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted()
    throw new CommandError(`The service at ${apiUrl} cannot be reached.`, {
      code: 'ConnectionFailed',
      fix: whereIsIt,
      ...toConnectionProblem(cause),
      cause,
    })
  })
  if (response.ok) return response
  const text = cleanText(toMessage(await response.text()))
  const code = response.status === 401 ? 'Unauthorized' : response.status === 404 ? 'NotFound' : 'UnexpectedStatus'
  throw new ServiceError(response.status, `${method} ${path} failed with ${response.status}: ${text}`, {
    code,
    fix: errorText(code, 'API client')?.fix ?? '',
  })
}

/** Returns the message of an error response, or its text if it has none. */
function toMessage(text: string): string {
  const body = parseJson(text)
  return isObject(body) && typeof body['message'] === 'string' ? body['message'] : text
}

/** Converts an error from the API client to a command error; returns other errors unchanged. */
export function toServiceError(error: unknown, { apiUrl }: Pick<ServiceAccess, 'apiUrl'>): unknown {
  if (!isApiError(error)) return error
  const text = errorText(error.code, 'API client')
  const fields = Object.entries(error.errors ?? {}).map(([name, value]) => `${name}: ${toWords(value)}`)
  // The message of the service can already contain them.
  const others = fields.filter((field) => !error.message.includes(field))
  const isUnreachable = error.code === 'ConnectionFailed'
  const where = isUnreachable ? ` (${apiUrl})` : ''
  return new CommandError(cleanText([`${error.message}${where}`, ...others].join(' – ')), {
    code: error.code,
    ...(text && { why: text.why, fix: text.fix }),
    ...(isUnreachable && { fix: whereIsIt, ...toConnectionProblem(error.cause) }),
    cause: error,
  })
}

function toWords(value: unknown): string {
  if (isObject(value) && Array.isArray(value['messages'])) return value['messages'].join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
