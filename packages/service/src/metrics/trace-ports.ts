import type { BridgeOutcome, BridgePort, BridgeRunCall } from '../bridge/bridge-call.ts'
import type { ChannelPort } from '../engine/port/channel-port.ts'
import { failSpan, toClient, withSpan } from '../traces/spans.ts'

/**
 * Returns a bridge port that creates a client span for each call, with an event for each retry. The bridge receives the
 * context of this span, so its own span is a child.
 *
 * @param bridge - The wrapped port.
 */
export function traceBridge(bridge: BridgePort): BridgePort {
  const trace = async <TOutcome extends BridgeOutcome<unknown>, TCall extends BridgeRunCall>(
    call: TCall,
    send: (call: TCall) => Promise<TOutcome>,
  ): Promise<TOutcome> => {
    const action = 'action' in call ? String(call.action) : 'execute'
    const stepId = 'stepId' in call ? String(call.stepId) : undefined
    const attributes = { 'trestle.action': action, 'trestle.workflow_id': call.workflowId, 'trestle.step_id': stepId }
    return withSpan(toClient(`bridge ${action}`, attributes), async (span) => {
      const outcome = await send({
        ...call,
        onRetry(attempt) {
          const { attempt: number, code, status } = attempt
          span.addEvent('retry', { 'trestle.attempt': number, 'error.type': code, 'http.response.status_code': status })
          call.onRetry?.(attempt)
        },
      })
      span.setAttribute('http.response.status_code', outcome.record.status)
      if (outcome.failure) failSpan(outcome.failure.code, span)
      return outcome
    })
  }
  return {
    callStep: (call) => trace(call, bridge.callStep),
    callRun: (call) => trace(call, bridge.callRun),
  }
}

/**
 * Returns a channel port that creates a client span for each call of a provider. It has no recipient, no address and no
 * text of the provider, and the provider does not receive its context.
 *
 * @param channels - The wrapped port.
 */
export function traceChannels(channels: ChannelPort): ChannelPort {
  return {
    ...channels,
    send: (messageId) =>
      withSpan(toClient('send', { 'trestle.message_id': messageId }), async (span) => {
        const sent = await channels.send(messageId)
        const provider = sent.notes[0]?.providerId
        if (provider !== undefined) span.setAttribute('trestle.provider', provider).updateName(`send ${provider}`)
        const { status, errorId } = sent.patch
        span.setAttribute('trestle.message_status', status)
        if (status === 'error' || status === 'pending') failSpan(errorId ?? 'ProviderError', span)
        return sent
      }),
  }
}
