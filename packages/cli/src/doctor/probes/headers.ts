import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe } from '../base/probe.ts'
import { send } from '../base/send.ts'

const foreignOrigin = 'https://trestle-doctor.example'

/** Checks that no header lets caches store a response. */
export const caching: Probe = {
  name: 'caching',
  title: 'prevents caching of its answers',
  async run(context): Promise<readonly Finding[]> {
    const answer = await send(context, { query: { action: 'discover' } })
    const control = String(answer?.headers['cache-control'] ?? '')
    if (answer === undefined || /no-store/i.test(control)) return []
    const age = answer.headers.age === undefined ? '' : ` and is ${answer.headers.age} seconds old`
    return [
      createFinding('caching', {
        code: 'AnswerCacheable',
        severity: /max-age=[1-9]|public|s-maxage/i.test(control) || age !== '' ? 'error' : 'warning',
        message: `An answer has ${control === '' ? 'no cache-control' : `cache-control: ${control}`}${age}; it must be no-store.`,
      }),
    ]
  },
}

/** Sends a request as a web page from a different origin would. */
export const crossOrigin: Probe = {
  name: 'cross-origin',
  title: 'does not allow web pages to read its answers',
  async run(context): Promise<readonly Finding[]> {
    const answer = await send(context, {
      query: { action: 'health-check' },
      signature: 'none',
      headers: { origin: foreignOrigin },
    })
    const allowed = answer?.headers['access-control-allow-origin']
    if (allowed !== '*' && allowed !== foreignOrigin) return []
    return [
      createFinding('cross-origin', {
        code: 'CrossOriginAllowed',
        severity: context.isOpen ? 'error' : 'warning',
        message: `A web page from any origin may read the answers: access-control-allow-origin is ${allowed}.`,
      }),
    ]
  },
}
