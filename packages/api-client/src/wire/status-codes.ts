import type { ApiErrorCode } from '../error/error.ts'

/** The error code for a status, and its default message. */
export interface StatusCode {
  readonly code: ApiErrorCode
  /** The message for a response that has none. */
  readonly message: string
}

const gateway = 'A gateway did not get a response from the API; it is unknown whether the call took effect'

const codes: Readonly<Record<number, StatusCode>> = {
  400: { code: 'BadRequest', message: 'Bad Request' },
  401: {
    code: 'Unauthorized',
    message: 'Unauthorized: check the secret key, and that it belongs to this environment and region',
  },
  403: { code: 'Forbidden', message: 'Forbidden' },
  404: { code: 'NotFound', message: 'Not Found' },
  405: { code: 'MethodNotAllowed', message: 'Method Not Allowed' },
  408: { code: 'RequestTimeout', message: 'The request did not reach the API in time' },
  409: { code: 'Conflict', message: 'Conflict' },
  413: { code: 'PayloadTooLarge', message: 'Payload Too Large' },
  414: { code: 'UriTooLong', message: 'URI Too Long' },
  415: { code: 'UnsupportedMediaType', message: 'Unsupported Media Type' },
  422: { code: 'ValidationFailed', message: 'Unprocessable Entity' },
  429: { code: 'RateLimited', message: 'API rate limit exceeded' },
  500: { code: 'InternalError', message: 'Internal Server Error' },
  502: { code: 'GatewayFailed', message: gateway },
  503: { code: 'Unavailable', message: 'The service is overloaded or under maintenance; wait and retry' },
  504: { code: 'GatewayFailed', message: gateway },
  521: { code: 'GatewayFailed', message: gateway },
  522: { code: 'GatewayFailed', message: gateway },
  524: { code: 'GatewayFailed', message: gateway },
}

/**
 * Returns the error code for a non-2xx status.
 *
 * @source service-api.md#errors-of-the-api
 */
export function toStatusCode(status: number): StatusCode {
  return codes[status] ?? { code: 'UnexpectedStatus', message: `The API answered ${status}` }
}
