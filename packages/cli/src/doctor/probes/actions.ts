import { actionMethods } from '@trestle/protocol'
import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'
import { describeAnswer, type ProbeRequest, send } from '../base/send.ts'

/** Each action with a wrong method, and an unknown action. */
const wrongs: readonly (ProbeRequest & { readonly what: string })[] = [
  ...Object.entries(actionMethods).map(([action, right]) => {
    const method = right === 'GET' ? 'POST' : 'GET'
    const query = { action, workflowId: 'none', stepId: 'none', agentId: 'none', event: 'none' }
    return { what: `${method} of ${action}`, method, query, ...(method === 'POST' && { body: '{}' }) }
  }),
  { what: 'An unknown action', method: 'POST', query: { action: 'trestle-doctor' }, body: '{}' },
]

/** Sends invalid actions, which a bridge must reject with the specified code. */
export const actions: Probe = {
  name: 'actions',
  title: 'rejects unknown actions and wrong methods',
  skip: ({ reply }) => (reply === undefined ? 'signed calls are not answered' : undefined),
  async run(context: ProbeContext): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    for (const { what, ...request } of wrongs) {
      const answer = await send(context, request)
      if (answer === undefined || (answer.status === 400 && answer.code === 'InvalidActionError')) continue
      // Problems with verified POSTs are reported by the body probe.
      if (answer.status === 401 || answer.status === 405 || answer.status === 404) continue
      findings.push(
        createFinding('actions', {
          code: 'InvalidActionError',
          severity: answer.status < 400 ? 'error' : 'warning',
          message: `${what} ${describeAnswer(answer)}; it must be 400 InvalidActionError.`,
          cause: 'The bridge is from another framework, or a proxy answers.',
        }),
      )
    }
    return findings
  },
}
