import type { RunRecording } from '@trestle/api-client'

const statuses: Readonly<Record<string, string>> = {
  running: 'it is still running',
  canceled: 'it was canceled before its end',
  merged: 'the digest of another run took it in',
}

/**
 * Returns why a run cannot be compared with its replay.
 *
 * @returns The reason; undefined if it can be replayed.
 */
export function findObstacle({ status, runDriven, complete, event, steps }: RunRecording): string | undefined {
  if (Object.hasOwn(statuses, status)) return statuses[status]
  if (!runDriven) return 'its steps were planned from a list, not decided by the bridge'
  if (!complete) return 'it has too many calls to be recorded completely'
  if (event === null) return 'the service no longer has its calls'
  const missing = steps.find((step) => step.reached && step.order !== null && isIncomplete(step))
  return missing && `the service no longer has the result of step ${missing.stepId}`
}

/** A step that completed has a result, and the reply of the bridge that led to it. */
function isIncomplete({ status, result, reply }: RunRecording['steps'][number]): boolean {
  return status === 'completed' && (result === null || reply === null)
}
