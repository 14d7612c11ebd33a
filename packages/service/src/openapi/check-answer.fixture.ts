import { Validator } from '@cfworker/json-schema'
import { z } from 'zod'
import type { Operation } from '../context/operation.ts'
import { createRouter } from '../http/router.ts'
import { operations } from '../operations/operations.ts'

const router = createRouter(operations)
const validators = new Map<Operation, Validator>()

/** A response received from the API. */
export interface WireAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly text: string
}

/**
 * Throws if a response does not match the operation's `output`: a field has the wrong type, is missing, or is unknown.
 * API callers know responses only by their schemas.
 */
export function checkAnswer(method: string, path: string, { status, contentType, text }: WireAnswer): void {
  if (status < 200 || status >= 300 || !contentType?.includes('json')) return
  const operation = findOperation(method, path.split('?', 1)[0] ?? '')
  if (!operation) return
  if (operation.status === 204 || !operation.output) {
    if (text === '') return
    throw new Error(`${operation.name} has no output, but answers with ${text.slice(0, 200)}`)
  }
  const answer: unknown = JSON.parse(text)
  const result = operation.wrapped ? (answer as { readonly data: unknown }).data : answer
  const { valid, errors } = validatorOf(operation).validate(result)
  if (valid) return
  const [worst] = errors.toSorted((a, b) => b.instanceLocation.length - a.instanceLocation.length)
  const faults = errors.filter(({ instanceLocation }) => instanceLocation === worst?.instanceLocation)
  const said = faults.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`).join('\n')
  throw new Error(`The answer of ${operation.name} is not of its output.\n${said}\n${text.slice(0, 2000)}`)
}

function findOperation(method: string, path: string): Operation | undefined {
  try {
    return router.match(method, path).operation
  } catch {
    // Health, metrics and pages are not operations.
    return undefined
  }
}

function validatorOf(operation: Operation): Validator {
  const cachedValidator = validators.get(operation)
  if (cachedValidator) return cachedValidator
  // In outputs, objects allow no unlisted fields unless their schema is loose.
  const schema = z.toJSONSchema(operation.output as z.ZodType, { io: 'output', unrepresentable: 'any' })
  const validator = new Validator(schema as object, '2020-12', false)
  validators.set(operation, validator)
  return validator
}
