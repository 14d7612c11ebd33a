/** Thrown if a rendered text would exceed its maximum length or its budget. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError'
}

/** The remaining rendering budget, in characters read. Shared by all texts of one message. */
export interface RenderBudget {
  /**
   * Consumes work.
   *
   * @throws {RenderLimitError} The budget is exhausted.
   */
  spend(characters: number): void
}

/** Corresponds to about 50 ms of CPU time. */
const maxWork = 10_000_000

/** Creates the budget for one message. */
export function createRenderBudget(): RenderBudget {
  let left = maxWork
  return {
    spend(characters) {
      left -= characters
      if (left < 0)
        throw new RenderLimitError(
          `The template reads more than ${maxWork} characters. Use fewer filters, or shorter values.`,
        )
    },
  }
}
