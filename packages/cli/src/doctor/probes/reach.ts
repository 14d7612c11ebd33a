import { describeFailure } from '../../bridge/describe-failure.ts'
import { usualPath } from '../../bridge/to-bridge-url.ts'
import { createFinding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'
import { send } from '../base/send.ts'

/** Sends the service's health check: address, network, certificate, redirects, response. */
export const reach: Probe = {
  name: 'reach',
  title: 'answers a health check',
  stopsOnError: true,
  async run(context) {
    try {
      await context.client.healthCheck({ signal: context.signal })
      return []
    } catch (error) {
      const problem = describeFailure(error)
      if (!problem) throw error
      const { code, message, why, fix } = problem
      const better = code === 'BridgeEndpointUnavailable' ? await findPath(context) : undefined
      return [
        createFinding('reach', {
          code,
          message,
          cause: why,
          fix: better === undefined ? fix : `A bridge answers at ${better}: use that address. ${fix}`,
          group: 'Bridge client',
        }),
      ]
    }
  },
}

async function findPath(context: ProbeContext): Promise<string | undefined> {
  const { origin, pathname } = new URL(context.url)
  const paths = [usualPath, pathname.replace(/\/+$/, ''), `${pathname}/`, '/bridge']
  for (const path of new Set(paths.filter((one) => one !== pathname && one !== ''))) {
    const url = `${origin}${path}`
    const answer = await send({ ...context, url }, { query: { action: 'health-check' }, signature: 'none' })
    if (answer?.status === 200 && (answer.json as { status?: unknown } | undefined)?.status === 'ok') return url
  }
  return undefined
}
