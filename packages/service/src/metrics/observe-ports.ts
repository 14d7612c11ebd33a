import type { BridgeOutcome, BridgePort, BridgeRunCall } from '../bridge/bridge-call.ts'
import type { ChannelPort, SentMessage } from '../engine/port/channel-port.ts'
import type { EngineLogger } from '../engine/port/engine-ports.ts'
import type { Queue } from '../queue/queue.ts'
import type { Metrics } from './metrics.ts'

/** Receives observations. */
export interface Observer {
  readonly metrics: Metrics
  readonly logger: EngineLogger
}

/**
 * Returns a bridge port that counts each call, and logs retried attempts and failed calls.
 *
 * @param bridge - The wrapped port.
 */
export function observeBridge(bridge: BridgePort, { metrics, logger }: Observer): BridgePort {
  const watch = async <TOutcome extends BridgeOutcome<unknown>, TCall extends BridgeRunCall>(
    call: TCall,
    run: (call: TCall) => Promise<TOutcome>,
  ): Promise<TOutcome> => {
    const about = { workflowId: call.workflowId, ...('stepId' in call && { stepId: call.stepId }) }
    const outcome = await run({
      ...call,
      onRetry(attempt) {
        metrics.observeRetry(attempt.code)
        logger.warn({ ...about, ...attempt }, 'a bridge call failed and is retried')
        call.onRetry?.(attempt)
      },
    })
    const { status, durationMs } = outcome.record
    metrics.observeBridgeCall({ status, durationMs })
    if ('failure' in outcome && outcome.failure)
      logger.warn({ ...about, code: outcome.failure.code, status }, 'a bridge call failed')
    return outcome
  }
  return {
    callStep: (call) => watch(call, bridge.callStep),
    callRun: (call) => watch(call, bridge.callRun),
  }
}

/**
 * Returns a channel port that counts the outcome of each delivery, and logs failures. The provider's text is not
 * logged, because it may name the recipient.
 *
 * @param channels - The wrapped port.
 */
export function observeChannels(channels: ChannelPort, { metrics, logger }: Observer): ChannelPort {
  return {
    ...channels,
    async send(messageId) {
      const sent = await channels.send(messageId)
      const outcome = toOutcome(sent)
      if (outcome === undefined) return sent
      const [note] = sent.notes
      const provider = note?.providerId ?? 'none'
      metrics.observeMessage({ provider, outcome })
      if (outcome !== 'sent')
        logger.warn(
          { messageId, provider, code: toCode(sent) },
          outcome === 'retried' ? 'a provider failed and is retried' : 'a provider failed: the message is dropped',
        )
      return sent
    },
  }
}

/** A delivery that was already sent or has failed permanently has no note. */
function toOutcome({ patch, notes }: SentMessage): 'sent' | 'retried' | 'failed' | undefined {
  if (notes.length === 0) return undefined
  if (patch.status === 'pending') return 'retried'
  return patch.status === 'sent' ? 'sent' : 'failed'
}

function toCode({ patch, notes }: SentMessage): unknown {
  const raw = notes[0]?.raw
  return patch.errorId ?? (typeof raw === 'object' && raw !== null && 'code' in raw ? raw.code : null)
}

/** Returns a queue whose items are counted, with their processing time. */
export function observeQueue(queue: Queue, { metrics }: Pick<Observer, 'metrics'>): Queue {
  return {
    ...queue,
    work: (handler, options) =>
      queue.work(async (item) => {
        const startedMs = performance.now()
        let outcome: 'done' | 'retried' = 'retried'
        try {
          await handler(item)
          outcome = 'done'
        } finally {
          metrics.observeWork({ kind: item.kind, outcome, durationMs: performance.now() - startedMs })
        }
      }, options),
  }
}
