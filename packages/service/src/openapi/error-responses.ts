import { STATUS_CODES } from 'node:http'
import type { JsonObject } from '@trestle/protocol'
import { responseHeaders } from './response-headers.ts'

const statuses = [400, 401, 403, 404, 405, 409, 413, 414, 415, 422, 429, 500, 503] as const

const nameOf = (status: number): string => (STATUS_CODES[status] ?? '').replaceAll(' ', '')

/** The error responses by component name, such as `BadRequest`. */
export const errorResponses: JsonObject = Object.fromEntries(
  statuses.map((status) => [nameOf(status), toErrorResponse(status)]),
)

/** The error responses of an operation by status, as references. */
export const errorReferences: JsonObject = Object.fromEntries(
  statuses.map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
)

/** The response of an operation that explains a rejection only with a message. */
export const messageResponse: JsonObject = {
  description: 'Rejected, with a body that only contains a message',
  ...responseHeaders('400'),
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['message'],
        properties: { message: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
}

/** The schemas of error bodies by component name. */
export const errorSchemas: JsonObject = {
  ErrorDto: {
    type: 'object',
    required: ['statusCode', 'timestamp', 'path'],
    properties: {
      statusCode: { type: 'number' },
      timestamp: { type: 'string' },
      path: { type: 'string' },
      message: {},
      ctx: { type: 'object' },
      errorId: { type: 'string' },
    },
  },
  ValidationErrorDto: {
    allOf: [
      { $ref: '#/components/schemas/ErrorDto' },
      {
        type: 'object',
        required: ['errors'],
        properties: {
          errors: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['messages'],
              properties: { messages: { type: 'array', items: { type: 'string' } }, value: {} },
            },
          },
        },
      },
    ],
  },
}

function toErrorResponse(status: number): JsonObject {
  const schema = { $ref: `#/components/schemas/${status === 422 ? 'ValidationErrorDto' : 'ErrorDto'}` }
  return {
    description: STATUS_CODES[status],
    ...responseHeaders(String(status)),
    content: { 'application/json': { schema } },
  }
}
