import { type Issue, isObject, type JsonObject, maxIssues, type StepState, toPointer } from '@trestle/protocol'
import type { NextFields } from './bridge-event.ts'

const nothingStored: StepState = { stepId: '', outputs: {}, state: { status: '' } }
const longestWaitMs = 60_000

/** Adds an issue unless there are enough, because a body may have millions of invalid entries. */
function addIssue(issues: Issue[], issue: Issue): void {
  if (!hasEnough(issues)) issues.push(issue)
}

const hasEnough = (issues: readonly Issue[]): boolean => issues.length >= maxIssues

/**
 * Reads an object; a missing one counts as `{}`.
 *
 * @param path - The object's path, without the leading slash.
 */
export function toObject(value: unknown, path: string, issues: Issue[]): JsonObject {
  if (isObject(value)) return value
  if (value !== undefined && value !== null) addIssue(issues, { path: `/${path}`, message: 'must be an object' })
  return {}
}

/** @param path - Its path, without the first slash. */
export function toText(value: unknown, path: string, issues: Issue[]): string {
  if (typeof value === 'string') return value
  addIssue(issues, { path: `/${path}`, message: 'must be a string' })
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
    addIssue(issues, { path: '/state', message: 'must be an array' })
    return []
  }
  for (let index = 0; index < value.length && !hasEnough(issues); index++) {
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
    addIssue(issues, { path: `/${path}`, message: 'must be an object' })
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
  if (body['next'] !== true) addIssue(issues, { path: '/next', message: 'must be a boolean' })
  const toIds = (name: string, toId: typeof toText): ReadonlySet<string> => {
    const list = toList(body[name], name, issues)
    const ids = new Set<string>()
    for (let index = 0; index < list.length && !hasEnough(issues); index++)
      ids.add(toId(list[index], `${name}/${index}`, issues))
    return ids
  }
  return {
    taken: toIds('taken', toStepId),
    describe: toIds('describe', toText),
    stepControls: toStepControls(body['stepControls'], issues),
    wait: toWait(body['wait'], issues),
    final: toFlag(body['final'], 'final', issues),
  }
}

function toFlag(value: unknown, path: string, issues: Issue[]): boolean {
  if (typeof value === 'boolean') return value
  if (value !== undefined && value !== null) addIssue(issues, { path: `/${path}`, message: 'must be a boolean' })
  return false
}

function toList(value: unknown, path: string, issues: Issue[]): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (value !== undefined && value !== null) addIssue(issues, { path: `/${path}`, message: 'must be an array' })
  return []
}

function toStepId(step: unknown, path: string, issues: Issue[]): string {
  if (isObject(step)) return toText(step['stepId'], `${path}/stepId`, issues)
  addIssue(issues, { path: `/${path}`, message: 'must be an object with a stepId' })
  return ''
}

function toStepControls(value: unknown, issues: Issue[]): Readonly<Record<string, JsonObject>> {
  const stepControls = toObject(value, 'stepControls', issues)
  for (const [id, controls] of Object.entries(stepControls)) {
    if (hasEnough(issues)) break
    if (!isObject(controls)) addIssue(issues, { path: toPointer(['stepControls', id]), message: 'must be an object' })
  }
  return stepControls as Record<string, JsonObject>
}

function toWait(value: unknown, issues: Issue[]): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'number' && value >= 0 && value <= longestWaitMs) return value
  addIssue(issues, { path: '/wait', message: `must be a number of milliseconds from 0 to ${longestWaitMs}` })
  return 0
}
