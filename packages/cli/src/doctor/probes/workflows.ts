import { BridgeClientError } from '@trestle/bridge-client'
import { cleanText } from '../../base/clean-text.ts'
import { isRendered } from '../../bridge/is-rendered.ts'
import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'

const maxSteps = 60
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

/** Previews each step with sample data, except those that run code of the app. */
export const steps: Probe = {
  name: 'steps',
  title: 'previews each step',
  skip,
  async run({ client, reply, signal }): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const all = (reply?.workflows ?? []).flatMap(({ workflowId, steps: list }) =>
      list.filter(isRendered).map(({ stepId }) => ({ workflowId, stepId })),
    )
    for (const { workflowId, stepId } of all.slice(0, maxSteps)) {
      try {
        await client.preview({ workflowId, stepId, event: {} }, { signal })
      } catch (error) {
        if (!(error instanceof BridgeClientError)) throw error
        // A reason common to all POSTs is reported by the body probe.
        if (['SignatureMismatchError', 'BridgeMethodNotConfigured', 'BridgeEndpointUnavailable'].includes(error.code))
          return findings
        const group = error.cause === undefined ? 'Bridge' : 'Bridge client'
        findings.push(
          createFinding('steps', { code: error.code, message: cleanText(error.message), workflowId, stepId, group }),
        )
        // Each further step would take just as long.
        if (error.code === 'BridgeRequestTimeout') return findings
      }
    }
    return findings
  },
}
