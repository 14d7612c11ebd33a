import { sizeOf } from '@trestle/templates/text'
import type { TemplateBudget } from './template-budget.ts'

/**
 * Counts a value that a control receives unchanged. Otherwise controls could repeat a large value of the call
 * without limit, and each of them is converted and validated.
 *
 * @returns Whether the value is within the limits.
 */
export function countValue(value: unknown, budget: TemplateBudget): boolean {
  if (typeof value === 'string') {
    budget.outputLength -= value.length
    return budget.outputLength >= 0
  }
  budget.valueLength -= sizeOf(value, budget.valueLength)
  return budget.valueLength >= 0
}
