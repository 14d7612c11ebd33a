import { compareReplies } from '../replay/compare-replies.ts'
import type { FieldChange } from '../replay/difference.ts'
import type { RenderedStep } from './render-version.ts'

/** A step with a fixture in two versions. */
export interface ComparedStep extends Pick<RenderedStep, 'workflowId' | 'stepId' | 'type' | 'fixture'> {
  readonly kind: 'changed' | 'added' | 'removed' | 'same'
  readonly before: RenderedStep | undefined
  readonly after: RenderedStep | undefined
  /** The changed fields, if both versions could be rendered. */
  readonly fields: readonly FieldChange[]
}

/** Compares two versions: the steps of the later one in order, then those that only the earlier one has. */
export function compareVersions(
  before: readonly RenderedStep[],
  after: readonly RenderedStep[],
): readonly ComparedStep[] {
  const toKey = ({ workflowId, stepId, fixture }: RenderedStep): string => JSON.stringify([workflowId, stepId, fixture])
  const earlier = new Map(before.map((step) => [toKey(step), step]))
  const later = new Set(after.map(toKey))
  const removed = before.filter((step) => !later.has(toKey(step)))
  return [
    ...after.map((step) => toCompared(earlier.get(toKey(step)), step)),
    ...removed.map(
      (step): ComparedStep => ({ ...toPlace(step), kind: 'removed', before: step, after: undefined, fields: [] }),
    ),
  ]
}

function toCompared(before: RenderedStep | undefined, after: RenderedStep): ComparedStep {
  const place = toPlace(after)
  if (!before) return { ...place, kind: 'added', before, after, fields: [] }
  const fields = before.reply && after.reply ? compareReplies(before.reply, after.reply) : []
  const isSame =
    fields.length === 0 &&
    before.type === after.type &&
    before.problem?.code === after.problem?.code &&
    before.problem?.message === after.problem?.message
  return { ...place, kind: isSame ? 'same' : 'changed', before, after, fields }
}

const toPlace = ({ workflowId, stepId, type, fixture }: RenderedStep) => ({ workflowId, stepId, type, fixture })
