import { cleanHtml } from '@trestle/html/clean'
import { expect, test } from 'vitest'
import { toRemovalWarning } from './removal-warning.ts'

test('names removed parts with their position', () => {
  const { code, message } = toRemovalWarning('mail', cleanHtml('<p onclick=x>a</p>\n<script></script>', 'email'))
  expect(code).toBe('HtmlSanitized')
  expect(message).toBe(
    'The HTML of step "mail" was sanitized. Removed, by line and column: attribute "onclick" (1:1), element "script" ' +
      '(2:1). Leave it out of the body, or set disableOutputSanitization if you trust every part of the HTML.',
  )
})

test('names the first five removed parts, and counts the others', () => {
  const { message } = toRemovalWarning('mail', cleanHtml('<x>'.repeat(1000), 'email'))
  expect(message.split('element "x"').length - 1).toBe(5)
  expect(message).toContain('(1:13) and 995 more. ')
})
