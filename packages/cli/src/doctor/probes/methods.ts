import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe } from '../base/probe.ts'
import { describeAnswer, harmlessQuery, send } from '../base/send.ts'

const refused = ['HEAD', 'PUT', 'PATCH', 'DELETE']

/** Checks the methods that a bridge must support. */
export const methods: Probe = {
  name: 'methods',
  title: 'accepts GET, POST and OPTIONS',
  async run(context): Promise<readonly Finding[]> {
    const findings: Finding[] = []
    const post = await send(context, { method: 'POST', query: harmlessQuery, body: '{}' })
    if (post && post.code === undefined && (post.status === 404 || post.status === 405))
      findings.push(
        createFinding('methods', {
          code: 'BridgeMethodNotConfigured',
          message: `A POST ${describeAnswer(post)}, but GET reaches the bridge.`,
          cause: 'The route accepts GET only.',
        }),
      )
    const options = await send(context, { method: 'OPTIONS', signature: 'none' })
    if (options && options.status >= 300)
      findings.push(
        createFinding('methods', {
          code: 'BridgeMethodNotConfigured',
          message: `OPTIONS ${describeAnswer(options)}.`,
          cause: 'The route does not accept OPTIONS.',
        }),
      )
    return findings
  },
}

/** Checks the methods that a bridge must reject. */
export const otherMethods: Probe = {
  name: 'other-methods',
  title: `rejects ${refused.join(', ')}`,
  async run(context): Promise<readonly Finding[]> {
    const answers = await Promise.all(
      refused.map(async (method) => ({
        method,
        answer: await send(context, { method, query: { action: 'discover' } }),
      })),
    )
    return answers.flatMap(({ method, answer }) => {
      const isRight = answer?.status === 405 && (method === 'HEAD' || answer.code === 'MethodNotAllowedError')
      if (answer === undefined || isRight) return []
      const isServed = answer.status < 400
      return createFinding('other-methods', {
        code: 'MethodNotAllowedError',
        severity: isServed ? 'error' : 'warning',
        message: `${method} ${describeAnswer(answer)}; it must be 405 MethodNotAllowedError.`,
        cause: isServed
          ? 'The route handles other methods as if they were GET or POST.'
          : 'The framework answers other methods before the bridge does.',
        fix: 'Mount the bridge for all methods: app.all(...) in Express and Hono, all exports of serve in Next.',
      })
    })
  },
}
