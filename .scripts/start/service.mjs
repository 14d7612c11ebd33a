import { sign, signatureHeader } from '@trestle/protocol'

/**
 * The notification service as the bridge sees it: one that sends signed calls over a socket.
 *
 * @param {string} url - The bridge.
 * @param {string} secret - The environment's secret key.
 */
export function createService(url, secret) {
  return {
    /**
     * Sends a call.
     *
     * @param {Record<string, string>} query - Action, workflow and step.
     * @param {object} [body] - The event; a GET without it.
     * @param {{ secret?: string }} [options] - Another secret, for a call that must be refused.
     * @returns {Promise<{ status: number, body: any, durationMs: number }>} The answer.
     */
    async call(query, body, options = {}) {
      const text = body && JSON.stringify(body)
      const signature = await sign(options.secret ?? secret, text ?? '{}')
      const startMs = performance.now()
      const response = await fetch(`${url}?${new URLSearchParams(query)}`, {
        method: text ? 'POST' : 'GET',
        headers: { [signatureHeader]: signature, ...(text && { 'content-type': 'application/json' }) },
        ...(text && { body: text }),
      })
      const answer = await response.json()
      return { status: response.status, body: answer, durationMs: performance.now() - startMs }
    },
  }
}
