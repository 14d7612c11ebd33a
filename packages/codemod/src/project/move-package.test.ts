import { expect, test } from 'vitest'
import { movePackage } from './move-package.ts'

const formatted = (indent: string | undefined): string =>
  JSON.stringify({ name: 'app', dependencies: { '@novu/framework': '2' }, files: ['dist'] }, null, indent)

test.each([
  ['Windows line ends', `${formatted('  ').replaceAll('\n', '\r\n')}\r\n`],
  ['tabs', `${formatted('\t')}\n`],
  ['no final newline', formatted('    ')],
  ['Windows line ends without a final one', formatted('  ').replaceAll('\n', '\r\n')],
  ['a single line', `${formatted(undefined)}\n`],
])('keeps the format of a package.json with %s', (_what, text) => {
  const moved = movePackage(text, [], '1.0.0')
  expect(moved.text).toBe(text.replace('"@novu/framework"', '"@trestle/core"').replace(/"2"/, '"^1.0.0"'))
})
