import type { JsonObject } from '@trestle/protocol'
import { z } from 'zod'
import type { Operation } from '../context/operation.ts'
import { headerComponents, responseHeaders } from './response-headers.ts'

/** The version of the API the description is of. @source service-api.md#versioning */
export const apiVersion = '3.17.1'

const errorStatuses: Readonly<Record<string, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const errorDto: JsonObject = {
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
}

const constraint: JsonObject = {
  type: 'object',
  required: ['messages'],
  properties: { messages: { type: 'array', items: { type: 'string' } }, value: {} },
}

/**
 * Returns the OpenAPI 3.1 document of a table of operations.
 *
 * @param url - Where the API is served.
 */
export function toOpenApi(operations: readonly Operation[], url: string): JsonObject {
  const paths: Record<string, Record<string, JsonObject>> = {}
  for (const operation of operations) {
    // Two paths must not differ in nothing but the names of their parameters.
    const path = Object.keys(paths).find((other) => toShape(other) === toShape(operation.path)) ?? operation.path
    const item = paths[path] ?? {}
    item[operation.method.toLowerCase()] = toPathItem({ ...operation, path })
    paths[path] = item
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Notification service', version: apiVersion },
    servers: [{ url }],
    security: [{ secretKey: [] }],
    paths,
    components: {
      securitySchemes: {
        secretKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The word ApiKey, one space, and the secret key of an environment.',
        },
        inboxSession: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of the session of a subscriber, from POST /v1/inbox/session.',
        },
      },
      headers: headerComponents,
      schemas: {
        ErrorDto: errorDto,
        ValidationErrorDto: {
          allOf: [
            { $ref: '#/components/schemas/ErrorDto' },
            {
              type: 'object',
              required: ['errors'],
              properties: { errors: { type: 'object', additionalProperties: constraint } },
            },
          ],
        },
      },
    },
  }
}

const toShape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

function toPathItem(operation: Operation): JsonObject {
  const { name, summary, body, status = 200, also = {}, category, open, form, forSubscriber } = operation
  const mediaType = form ? 'multipart/form-data' : 'application/json'
  return {
    operationId: name,
    summary,
    tags: [name.split('.')[0]],
    ...(open ? { security: [] } : {}),
    ...(forSubscriber ? { security: [{ inboxSession: [] }] } : {}),
    'x-rate-limit-category': forSubscriber ? 'subscriber' : category,
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation),
      ...headerParameters(operation),
      idempotencyKey,
    ],
    ...(body ? { requestBody: { required: true, content: { [mediaType]: { schema: toSchema(body, 'input') } } } } : {}),
    responses: {
      [status]: { description: 'Success', ...responseHeaders(`${status}`), ...successContent(operation, status) },
      ...Object.fromEntries(
        Object.entries(also).map(([code, description]) => [
          code,
          { description, ...responseHeaders(code), ...successContent(operation, Number(code)) },
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(errorStatuses).map(([code, description]) => [code, toError(code, description)]),
      ),
      ...(operation.refusal ? { 400: { ...onlyMessage, ...responseHeaders('400') } } : {}),
    },
  }
}

const onlyMessage: JsonObject = {
  description: 'Refused, with a body that is only a message',
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

const idempotencyKey: JsonObject = {
  name: 'idempotency-key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
}

function pathParameters({ path }: Operation): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Operation): readonly JsonObject[] {
  if (!query) return []
  const { properties = {}, required = [] } = toSchema(query, 'input') as {
    readonly properties?: Readonly<Record<string, JsonObject>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function headerParameters({ headers = {} }: Operation): readonly JsonObject[] {
  return Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
}

function successContent({ output, wrapped }: Operation, status: number): JsonObject {
  if (status === 204) return {}
  const result = output ? toSchema(output, 'output') : {}
  const schema = wrapped ? { type: 'object', required: ['data'], properties: { data: result } } : result
  return { content: { 'application/json': { schema } } }
}

function toError(code: string, description: string): JsonObject {
  const name = code === '422' ? 'ValidationErrorDto' : 'ErrorDto'
  const schema = { $ref: `#/components/schemas/${name}` }
  return { description, ...responseHeaders(code), content: { 'application/json': { schema } } }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    // Answers may gain fields; requests may not.
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties
    },
  })
  return rest
}
