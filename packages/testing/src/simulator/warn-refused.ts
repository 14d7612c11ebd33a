import type { Logger } from '@trestle/core'
import type { RunReport } from '../report/run-report.ts'

/**
 * Logs what the network refused although no step failed over it: the code under test caught the failure and went on, so
 * the run may have tested something else than it should.
 */
export function warnRefused(report: RunReport, logger: Logger): void {
  const messages = [report, ...report.others].flatMap(({ errors }) => errors.map(({ message }) => message))
  const swallowed = report.refused.filter((url) => !messages.some((message) => message.includes(url)))
  if (swallowed.length === 0) return
  const message =
    `Workflow "${report.workflowId}" requested ${swallowed.join(', ')} in a test, was blocked, and continued. ` +
    'Give the step a double, or allow the host with the option network.'
  if (logger === console) console.warn(message)
  else logger.warn({}, message)
}
