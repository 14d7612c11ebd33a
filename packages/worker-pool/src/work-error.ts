/** Thrown for work that exceeded its limit; it would always do so. */
export class WorkLimitError extends Error {
  override readonly name = 'WorkLimitError'
}

/** Thrown for work that could not be done for now; the same work may succeed a little later. */
export class WorkBusyError extends Error {
  override readonly name = 'WorkBusyError'
}
