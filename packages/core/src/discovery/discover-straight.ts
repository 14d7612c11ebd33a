import { guardRejections } from '../base/rejection-guard.ts'
import { type RegisteredWorkflow, schemasOf } from '../bridge/registered-workflow.ts'
import type { CompiledSchema } from '../schema/compiled-schema.ts'
import { sourceOf } from './dictionary/source-of.ts'
import type { Discovery } from './discovery.ts'
import { toExplored } from './explored-run.ts'
import { callFunction } from './recording/call-function.ts'
import { driveRun } from './recording/drive-run.ts'
import { createRecording, type Recording } from './recording/record-step.ts'
import type { RecordedCall } from './recording/recorded-run.ts'
import { haveSameSchemas } from './step-conflicts.ts'
import { mayBeStraight, showsAll } from './straight/straight-text.ts'
import { createUnreadData } from './straight/unread-data.ts'

const bases = ['fullest', 'emptiest'] as const

/**
 * Finds out which steps a workflow has where its function asks nothing of its data outside of handlers, and calls one step
 * after the other: then it has the same steps for any data. All else is left to runs on sample data.
 *
 * @param workflow - The workflow; its schemas are prepared.
 * @returns `undefined` where the function may have other steps for other data.
 */
export async function discoverStraight(workflow: RegisteredWorkflow): Promise<Discovery | undefined> {
  const own = Function.prototype.toString.call(workflow.run)
  // What a function says of itself may be the text of one that it calls.
  const source = sourceOf(workflow)
  const { payload, env } = schemasOf(workflow)
  if (!isOfFields(payload) || !isOfFields(env) || !mayBeStraight(own) || !mayBeStraight(source)) return undefined
  const first = await runUnread(workflow)
  if (!first || !showsAll(source, first.ids)) return undefined
  const second = await runUnread(workflow)
  if (!second || !(await areSame(first.calls, second.calls))) return undefined
  const { calls, ids, done } = first
  return {
    steps: calls.map(({ id, call }, index) => ({ id, call, conditional: false, parallelGroup: index })),
    ids,
    runs: bases.map((base) => toExplored({ variation: { base, changes: new Map() }, calls, done, end: 'normal' })),
    awaitsOnlySteps: true,
    isLate: false,
    maxGapMs: 0,
    warnings: [],
  }
}

/** What is no object can be asked without a trace. */
function isOfFields(schema: CompiledSchema): boolean {
  return !schema.given || schema.jsonSchema()['type'] === 'object'
}

async function runUnread(workflow: RegisteredWorkflow): Promise<Recording | undefined> {
  const recording = createRecording({ waitMs: 0 })
  const endGuard = guardRejections()
  try {
    const runData = createUnreadData(recording)
    callFunction(workflow, recording, runData)
    await driveRun({ recording, runData, takeNext: () => recording.open.shift() })
  } finally {
    endGuard()
  }
  return isStraight(recording) ? recording : undefined
}

function isStraight({ calls, doubles, settled, limit, error, unused }: Recording): boolean {
  const isWhole = settled && !limit && !error && doubles.length === 0 && unused.size === 0
  return isWhole && calls.length > 0 && calls.every(({ open }) => open.length === 0)
}

async function areSame(left: readonly RecordedCall[], right: readonly RecordedCall[]): Promise<boolean> {
  if (left.length !== right.length) return false
  for (const [index, { id, call }] of left.entries()) {
    const other = right[index]
    if (other?.id !== id || other.call.kind !== call.kind || !(await haveSameSchemas(call, other.call))) return false
  }
  return true
}
