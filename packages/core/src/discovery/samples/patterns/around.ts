/** What is tried of a number, in this order: beyond it, below it, itself. */
export const steps: readonly number[] = [1, -1, 0]
