import { createFinding } from '../base/finding.ts'
import type { Probe } from '../base/probe.ts'
import { describeAnswer, send } from '../base/send.ts'

/** Sends an unsigned call, which the bridge rejects if strict authentication is on. */
export const unsigned: Probe = {
  name: 'unsigned',
  title: 'rejects unsigned calls',
  async run(context) {
    const answer = await send(context, { query: { action: 'discover' }, signature: 'none' })
    if (answer?.status === 401 && answer.code !== undefined) {
      context.isOpen = false
      return []
    }
    if (answer?.status === 401 || answer === undefined) return []
    const isRefused =
      answer.status >= 300 &&
      !['WorkflowDiscoveryFailedError', 'WorkflowAlreadyExistsError', 'StepAlreadyExistsError'].includes(
        answer.code ?? '',
      )
    if (isRefused) return []
    context.isOpen = true
    const isHarmless = context.isLoopback && !context.isProduction
    return [
      createFinding('unsigned', {
        code: 'SignatureNotFoundError',
        severity: isHarmless ? 'warning' : 'error',
        message: `An unsigned call ${describeAnswer(answer)}: strict authentication is off.`,
        cause: isHarmless
          ? 'The app runs in development (NODE_ENV is development, dev or unset), or strictAuthentication is false.'
          : 'NODE_ENV of the app is development, dev or unset, or the option strictAuthentication is false. Anyone can run its workflows.',
        fix: 'In production, set SERVICE_SECRET_KEY, and NODE_ENV=production without the option strictAuthentication, or SERVICE_STRICT_AUTHENTICATION_ENABLED=true.',
      }),
    ]
  },
}
