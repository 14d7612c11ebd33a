import { BridgeClientError } from '@trestle/bridge-client'
import { cleanText } from '../../base/clean-text.ts'
import { isRendered } from '../../bridge/is-rendered.ts'
import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'

const skip = ({ reply }: ProbeContext): string | undefined =>
  reply === undefined ? 'signed calls are not answered' : undefined

/** Reports the discovery warnings. */
export const warnings: Probe = {
  name: 'warnings',
  title: 'has no workflow warnings',
  skip,
  async run({ reply }): Promise<readonly Finding[]> {
    return (reply?.workflows ?? []).flatMap(({ workflowId, warnings: findings }) =>
      (findings ?? []).map(({ code, message }) =>
        createFinding('warnings', {
          code,
          severity: 'warning',
          workflowId,
          message: cleanText(message),
          fix: 'Follow the message; the README of @trestle/core explains what discovery lists.',
        }),
      ),
    )
  },
}

/** Previews each step with sample data, except those whose handlers run code of the app. */
export const steps: Probe = {
  name: 'steps',
  title: 'previews each step',
  skip,
  async run({ client, reply, signal }): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const all = (reply?.workflows ?? []).flatMap(({ workflowId, steps: list }) =>
      list.filter(isRendered).map(({ stepId }) => ({ workflowId, stepId })),
    )
    for (const [index, { workflowId, stepId }] of all.entries()) {
      try {
        await client.preview({ workflowId, stepId, event: {} }, { signal })
      } catch (error) {
        if (!(error instanceof BridgeClientError)) throw error
        // A reason common to all POSTs is reported by the body probe.
        if (['SignatureMismatchError', 'BridgeMethodNotConfigured', 'BridgeEndpointUnavailable'].includes(error.code))
          return findings
        const group = error.cause === undefined ? 'Bridge' : 'Bridge client'
        const isTimeout = error.code === 'BridgeRequestTimeout'
        const omitted = isTimeout ? all.length - index - 1 : 0
        const message = `${cleanText(error.message)}${omitted > 0 ? ` Steps not previewed: ${omitted}.` : ''}`
        findings.push(createFinding('steps', { code: error.code, message, workflowId, stepId, group }))
        // Each further step would take just as long.
        if (isTimeout) return findings
      }
    }
    return findings
  },
}
