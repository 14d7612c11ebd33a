import { expect, test, vi } from 'vitest'
import { createNotices } from './notices.ts'

test('warnings of one kind do not suppress those of another kind', () => {
  const warn = vi.fn()
  const { once } = createNotices({ warn, error() {} })
  for (let count = 0; count < 1000; count++) once(`a mail was cleaned at ${count}`, 'HtmlSanitized')
  once('a step was found', 'StepNotListed')
  once('a step was found', 'StepNotListed')
  expect(warn).toHaveBeenCalledTimes(201)
  expect(warn).toHaveBeenLastCalledWith({}, 'a step was found')
})
