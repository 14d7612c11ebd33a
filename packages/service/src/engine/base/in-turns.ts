/** The number of runs that are canceled or woken before other work gets its turn. */
export const pageSize = 100

/** The number processed at a time; they take turns with all other work. */
const sideBySide = 25

/**
 * Does work for each row of a page, a few at a time.
 *
 * @param rows - The rows.
 * @param work - Called for each.
 */
export async function inTurns<T>(rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += sideBySide) await Promise.all(rows.slice(at, at + sideBySide).map(work))
}
