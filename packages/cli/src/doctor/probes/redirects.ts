import { createFinding } from '../base/finding.ts'
import type { Probe } from '../base/probe.ts'
import { harmlessQuery, send } from '../base/send.ts'

/** Checks for redirects: a redirected call can lose its method, its body and its signature. */
export const redirects: Probe = {
  name: 'redirects',
  title: 'answers at this exact address, without a redirect',
  async run(context) {
    const calls = [
      await send(context, { query: { action: 'health-check' }, signature: 'none' }),
      await send(context, { method: 'POST', query: harmlessQuery, body: '{}' }),
    ]
    const redirect = calls.find(
      (answer) => answer && answer.status >= 300 && answer.status < 400 && answer.headers.location,
    )
    if (!redirect) return []
    const target = new URL(String(redirect.headers.location), context.url)
    target.search = ''
    const isElsewhere = target.host !== new URL(context.url).host
    const keepsMethod = redirect.status === 307 || redirect.status === 308
    return [
      createFinding('redirects', {
        code: isElsewhere && keepsMethod ? 'CROSS_ORIGIN_METHOD_PRESERVING_REDIRECT' : 'BridgeRedirected',
        severity: isElsewhere || !keepsMethod ? 'error' : 'warning',
        message: `A call was redirected with ${redirect.status} to ${target.href}.`,
        fix: `Save ${target.href} as the address of the bridge.`,
      }),
    ]
  },
}
