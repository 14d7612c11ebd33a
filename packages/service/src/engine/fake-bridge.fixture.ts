import type { BridgeOutcome, BridgePort, BridgeStepCall } from '../bridge/bridge-call.ts'

/** Creates a bridge port that calls a function instead of a bridge. */
export function createFakeBridge(
  answer: (call: BridgeStepCall) => Partial<BridgeOutcome> | Promise<Partial<BridgeOutcome>>,
): BridgePort & { readonly calls: BridgeStepCall[] } {
  const calls: BridgeStepCall[] = []
  return {
    calls,
    async callStep(call) {
      calls.push(call)
      const outcome = await answer(call)
      const record = { url: 'fake', request: {}, reply: {}, status: 200, durationMs: 0, attempts: [] }
      return { record, ...outcome }
    },
    callRun: () => Promise.reject(new Error('The bridge follows the list.')),
  }
}

/** Returns the outcome of a completed step. */
export function replied(outputs: Record<string, unknown>, skip = false): Partial<BridgeOutcome> {
  const metadata = { status: 'success', error: false, duration: 0 } as const
  return { reply: { outputs, providers: {}, options: { skip }, metadata } }
}

/** Returns the outcome of a failed step. */
export function refused(code: string, data: unknown = null): Partial<BridgeOutcome> {
  return { failure: { code, status: 400, message: `refused with ${code}`, data } }
}
