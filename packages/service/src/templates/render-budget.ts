/** Thrown when a rendered text would be longer than its limit, or take more work than its budget. */
export class RenderLimitError extends Error {
  override readonly name = 'RenderLimitError'
}

/** The work that rendering may still do, in characters read. Shared by everything that is rendered for one message. */
export interface RenderBudget {
  /**
   * Counts work.
   *
   * @throws {RenderLimitError} If the budget is used up.
   */
  spend(characters: number): void
}

/** About 50 ms of processor time. */
const maxWork = 10_000_000

/** Creates the budget of one message. */
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
