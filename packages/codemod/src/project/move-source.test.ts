import { expect, test } from 'vitest'
import { moveSource } from './move-source.ts'

test.each([
  [
    'a route of the Pages Router',
    "import { serve } from '@novu/framework/next'\nexport default serve({ workflows: [] })\n",
  ],
  ['named cron expressions', "import { CronExpression } from '@novu/framework'\nexport const all = [CronExpression]\n"],
  [
    'a removed import',
    "import { CronExpression } from '@novu/framework'\nexport const a = CronExpression.EVERY_HOUR\n",
  ],
])('keeps the line ends of Windows in %s', (_what, text) => {
  const moved = moveSource(text, 'src/pages/api/novu.ts').text
  expect(moved).not.toBe(text)
  expect(moveSource(text.replaceAll('\n', '\r\n'), 'src/pages/api/novu.ts').text).toBe(moved.replaceAll('\n', '\r\n'))
})
