import type { Session } from '../store.ts'

/** A statement that serves several requests. */
export interface SharedStatement<TRequest, TResult> {
  /**
   * Runs the statement.
   *
   * @returns The results, in the order of the requests.
   */
  readonly run: (session: Session, requests: readonly TRequest[]) => Promise<readonly TResult[]>
  /** Returns a key that only one request per statement may have, such as the row it changes. @default none */
  readonly keyOf?: (request: TRequest) => string
}

interface Waiting<TRequest, TResult> {
  readonly request: TRequest
  readonly resolve: (result: TResult) => void
  readonly reject: (error: unknown) => void
}

const shared = new WeakSet<Session>()

/**
 * Lets the callers of a transaction share statements: requests made within one turn of the event loop are combined into
 * one statement. For concurrent callers in the same transaction that change different rows.
 *
 * @param tx - The transaction's session.
 */
export function shareStatements(tx: Session): void {
  shared.add(tx)
}

/**
 * Returns a function that runs a statement for one request, or for several at once in sessions created by
 * {@link shareStatements}.
 *
 * @param statement - The statement to run.
 */
export function createSharedStatement<TRequest, TResult>({
  run,
  keyOf,
}: SharedStatement<TRequest, TResult>): (session: Session, request: TRequest) => Promise<TResult> {
  const waitingOf = new WeakMap<Session, Waiting<TRequest, TResult>[]>()

  async function runOne(session: Session, request: TRequest): Promise<TResult> {
    const [result] = await run(session, [request])
    return result as TResult
  }

  async function answer(session: Session, waiting: readonly Waiting<TRequest, TResult>[]): Promise<void> {
    try {
      const results = await run(
        session,
        waiting.map(({ request }) => request),
      )
      for (const [index, { resolve }] of waiting.entries()) resolve(results[index] as TResult)
    } catch (error) {
      for (const { reject } of waiting) reject(error)
    }
  }

  async function answerAll(session: Session): Promise<void> {
    const waiting = waitingOf.get(session) ?? []
    waitingOf.delete(session)
    for (const round of toRounds(waiting, keyOf)) await answer(session, round)
  }

  return (session, request) => {
    if (!shared.has(session)) return runOne(session, request)
    return new Promise((resolve, reject) => {
      const waiting = waitingOf.get(session)
      if (waiting) waiting.push({ request, resolve, reject })
      else {
        waitingOf.set(session, [{ request, resolve, reject }])
        setImmediate(() => void answerAll(session))
      }
    })
  }
}

/** Splits requests into rounds in which each key occurs only once. */
function toRounds<TRequest, TResult>(
  waiting: readonly Waiting<TRequest, TResult>[],
  keyOf: ((request: TRequest) => string) | undefined,
): readonly (readonly Waiting<TRequest, TResult>[])[] {
  if (!keyOf) return [waiting]
  const counts = new Map<string, number>()
  const rounds: Waiting<TRequest, TResult>[][] = []
  for (const one of waiting) {
    const key = keyOf(one.request)
    const round = counts.get(key) ?? 0
    counts.set(key, round + 1)
    rounds[round] ??= []
    rounds[round].push(one)
  }
  return rounds
}
