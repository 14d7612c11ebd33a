import type { BridgeOutcome, BridgePort, BridgeRunCall } from '../bridge/bridge-call.ts'
import type { ChannelPort, SentMessage } from '../engine/port/channel-port.ts'
import type { EngineLogger } from '../engine/port/engine-ports.ts'
import type { Queue } from '../queue/queue.ts'
import type { Metrics } from './metrics.ts'

/** Where it is told what happens. */
export interface Observer {
  /** The numbers. */
  readonly metrics: Metrics
  /** The log. */
  readonly logger: EngineLogger
}

/**
 * Returns a way to bridges that counts each call, and logs attempts that are repeated and calls that failed.
 *
 * @param bridge - The way to bridges.
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
        logger.warn({ ...about, ...attempt }, 'a call of the bridge failed and is repeated')
        call.onRetry?.(attempt)
      },
    })
    const { status, durationMs } = outcome.record
    metrics.observeBridgeCall({ status, durationMs })
    if ('failure' in outcome && outcome.failure)
      logger.warn({ ...about, code: outcome.failure.code, status }, 'a call of the bridge failed')
    return outcome
  }
  return {
    callStep: (call) => watch(call, bridge.callStep),
    callRun: (call) => watch(call, bridge.callRun),
  }
}

/**
 * Returns a way to messages that counts what became of each, and logs those that were not taken. The text of a provider
 * stays out of the log: it may name the recipient.
 *
 * @param channels - The way to messages.
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
          outcome === 'retried' ? 'a provider failed and is asked again' : 'a provider failed: the message is dropped',
        )
      return sent
    },
  }
}

/** One that was sent or given up before has no note. */
function toOutcome({ patch, notes }: SentMessage): 'sent' | 'retried' | 'failed' | undefined {
  if (notes.length === 0) return undefined
  if (patch.status === 'pending') return 'retried'
  return patch.status === 'sent' ? 'sent' : 'failed'
}

function toCode({ patch, notes }: SentMessage): unknown {
  const raw = notes[0]?.raw
  return patch.errorId ?? (typeof raw === 'object' && raw !== null && 'code' in raw ? raw.code : null)
}

/**
 * Returns a queue whose work is counted, with how long it took.
 *
 * @param queue - The queue.
 */
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
