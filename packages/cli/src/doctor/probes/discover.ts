import { BridgeClientError } from '@trestle/bridge-client'
import { isObject, signatureWindowMs } from '@trestle/protocol'
import { cleanText } from '../../base/clean-text.ts'
import { describeFailure } from '../../bridge/describe-failure.ts'
import { formatDuration } from '../../terminal/format-duration.ts'
import { createFinding, type Finding } from '../base/finding.ts'
import type { Probe, ProbeContext } from '../base/probe.ts'
import { send } from '../base/send.ts'

/** Sends a valid, signed discovery: checks key, clock and workflows. */
export const discover: Probe = {
  name: 'discover',
  title: 'lists its workflows for a signed call',
  async run(context) {
    try {
      context.reply = await context.client.discover({ signal: context.signal })
      return context.reply.workflows.length === 0
        ? [
            createFinding('discover', {
              code: 'NoWorkflowsServed',
              severity: 'warning',
              message: 'The bridge serves no workflows.',
            }),
          ]
        : []
    } catch (error) {
      const problem = describeFailure(error)
      if (!problem || !(error instanceof BridgeClientError)) throw error
      return explain(context, error)
    }
  },
}

async function explain(
  context: ProbeContext,
  { code, message, data, cause }: BridgeClientError,
): Promise<readonly Finding[]> {
  const base = { code, message: cleanText(message), group: cause === undefined ? 'Bridge' : 'Bridge client' } as const
  const failed = isObject(data) && Array.isArray(data['errors']) ? data['errors'].filter(isObject) : []
  const named = failed.filter((one) => typeof one['workflowId'] === 'string')
  if (named.length > 0) return named.map((one) => toBroken(one, base))
  if (code === 'SignatureMismatchError') return [createFinding('discover', { ...base, ...toKeyFault(context) })]
  if (code === 'SignatureExpiredError')
    return [createFinding('discover', { ...base, message: `${base.message}${await measureClock(context)}` })]
  return [createFinding('discover', base)]
}

function toBroken(
  one: Readonly<Record<string, unknown>>,
  base: { readonly code: string; readonly message: string },
): Finding {
  const { code, message, workflowId } = one
  return createFinding('discover', {
    code: typeof code === 'string' ? code : base.code,
    message: cleanText(typeof message === 'string' ? message : base.message),
    workflowId: String(workflowId),
    group: 'Bridge',
  })
}

/**
 * Returns the cause and fix for a key problem: a GET has no body that could be changed in transit, so the keys must
 * differ.
 */
function toKeyFault({ key }: ProbeContext): { readonly cause: string; readonly fix: string } {
  if (key === undefined)
    return { cause: 'No secret key was given.', fix: 'Pass it with --key, or set SERVICE_SECRET_KEY.' }
  return {
    cause: 'The bridge and the caller use different secret keys.',
    fix: 'Set SERVICE_SECRET_KEY in the app to the secret key of the calling environment, and restart the app. An empty or misspelled variable counts as missing.',
  }
}

/** Compares the clocks: the `date` header contains the bridge's time, in seconds. */
async function measureClock(context: ProbeContext): Promise<string> {
  const answer = await send(context, { query: { action: 'health-check' }, signature: 'none' })
  const theirs = Date.parse(String(answer?.headers.date))
  if (Number.isNaN(theirs)) return ''
  const aheadMs = theirs - context.nowMs()
  if (Math.abs(aheadMs) < signatureWindowMs) return ''
  return ` The clock of the app is ${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`
}
