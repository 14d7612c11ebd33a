import type { Logger } from '@trestle/core'
import type { RunReport } from '../report/run-report.ts'

/**
 * Logs blocked requests if no step failed: the code caught the error and continued, so the test may have checked
 * something else.
 */
export function warnRefused(report: RunReport, logger: Logger): void {
  const messages = [report, ...report.others].flatMap(messagesOf)
  const swallowed = report.refused.filter((url) => !messages.some((message) => message.includes(url)))
  if (swallowed.length === 0) return
  const message =
    `Workflow "${report.workflowId}" requested ${swallowed.join(', ')} in a test, was blocked, and continued. ` +
    'Give the step a double, or allow the host with the network option.'
  if (logger === console) console.warn(message)
  else logger.warn({}, message)
}

/** Returns the errors of a run, and of the runs that it triggered. */
function messagesOf({ errors, children }: Pick<RunReport, 'errors' | 'children'>): readonly string[] {
  return [...errors.map(({ message }) => message), ...children.flatMap(messagesOf)]
}
