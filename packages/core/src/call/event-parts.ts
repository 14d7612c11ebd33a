import { type Issue, isObject, type JsonObject, type StepState, toPointer } from '@trestle/protocol'
import type { NextFields } from './bridge-event.ts'

const nothingStored: StepState = { stepId: '', outputs: {}, state: { status: '' } }
const longestWaitMs = 60_000

/**
 * Reads an object; a missing one counts as `{}`.
 *
 * @param path - The object's path, without the leading slash.
 */
export function toObject(value: unknown, path: string, issues: Issue[]): JsonObject {
  if (isObject(value)) return value
  if (value !== undefined && value !== null) issues.push({ path: `/${path}`, message: 'must be an object' })
  return {}
}

/** @param path - Its path, without the first slash. */
export function toText(value: unknown, path: string, issues: Issue[]): string {
  if (typeof value === 'string') return value
  issues.push({ path: `/${path}`, message: 'must be a string' })
  return ''
}

/**
 * Reads the stored results of a run.
 *
 * @param value - The `state` of a body.
 */
export function toState(value: unknown, issues: Issue[]): readonly StepState[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    issues.push({ path: '/state', message: 'must be an array' })
    return []
  }
  for (let index = 0; index < value.length; index++) {
    const entry: unknown = value[index]
    // Valid entries are not copied, because there may be a thousand.
    if (!isState(entry)) value[index] = toStateEntry(entry, `state/${index}`, issues)
  }
  return value as readonly StepState[]
}

function isState(entry: unknown): entry is StepState {
  return (
    isObject(entry) &&
    typeof entry['stepId'] === 'string' &&
    isObject(entry['outputs']) &&
    isObject(entry['state']) &&
    typeof entry['state']['status'] === 'string'
  )
}

/** Reads a stored result, with defaults: `{}` for missing outputs, `completed` for a missing status. */
function toStateEntry(entry: unknown, path: string, issues: Issue[]): StepState {
  if (!isObject(entry)) {
    issues.push({ path: `/${path}`, message: 'must be an object' })
    return nothingStored
  }
  const { stepId, outputs, state } = entry
  const { status, error } = toObject(state, `${path}/state`, issues)
  return {
    stepId: toText(stepId, `${path}/stepId`, issues),
    outputs: toObject(outputs, `${path}/outputs`, issues),
    state: {
      status: status == null ? 'completed' : toText(status, `${path}/state/status`, issues),
      error,
    },
  }
}

/**
 * Reads the fields of a run-driven call.
 *
 * @param body - A body with the field `next`.
 */
export function toNextFields(body: JsonObject, issues: Issue[]): NextFields {
  if (body['next'] !== true) issues.push({ path: '/next', message: 'must be a boolean' })
  const taken = toList(body['taken'], 'taken', issues)
  const describe = toList(body['describe'], 'describe', issues)
  return {
    taken: new Set(taken.map((step, index) => toStepId(step, `taken/${index}`, issues))),
    describe: new Set(describe.map((id, index) => toText(id, `describe/${index}`, issues))),
    stepControls: toStepControls(body['stepControls'], issues),
    wait: toWait(body['wait'], issues),
    final: toFlag(body['final'], 'final', issues),
  }
}

function toFlag(value: unknown, path: string, issues: Issue[]): boolean {
  if (typeof value === 'boolean') return value
  if (value !== undefined && value !== null) issues.push({ path: `/${path}`, message: 'must be a boolean' })
  return false
}

function toList(value: unknown, path: string, issues: Issue[]): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value !== undefined && value !== null) issues.push({ path: `/${path}`, message: 'must be an array' })
  return []
}

function toStepId(step: unknown, path: string, issues: Issue[]): string {
  if (isObject(step)) return toText(step['stepId'], `${path}/stepId`, issues)
  issues.push({ path: `/${path}`, message: 'must be an object with a stepId' })
  return ''
}

function toStepControls(value: unknown, issues: Issue[]): Readonly<Record<string, JsonObject>> {
  const stepControls = toObject(value, 'stepControls', issues)
  for (const [id, controls] of Object.entries(stepControls))
    if (!isObject(controls)) issues.push({ path: toPointer(['stepControls', id]), message: 'must be an object' })
  return stepControls as Record<string, JsonObject>
}

function toWait(value: unknown, issues: Issue[]): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number' && value >= 0 && value <= longestWaitMs) return value
  issues.push({ path: '/wait', message: `must be a number of milliseconds from 0 to ${longestWaitMs}` })
  return 0
}
