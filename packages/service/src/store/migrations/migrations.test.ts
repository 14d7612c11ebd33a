import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { migrations } from './migrations.ts'

// Existing databases do not run a migration again, so a change would only reach new databases. Add a migration instead.
test('existing migrations never change', () => {
  const fingerprints = migrations.map(({ name, statements, onPostgres = [], indexes = [] }) => {
    return `${name} ${createHash('sha256')
      .update([...statements, ...onPostgres, ...indexes.map((index) => `${index.name} on ${index.on}`)].join(';'))
      .digest('hex')
      .slice(0, 16)}`
  })
  expect(fingerprints).toEqual([
    '0001-first 09d152e0b4198703',
    '0002-agents 0aaccd205975cfae',
    '0003-sealed-answers 071dce70e6dc037f',
    '0004-old-collections e3ca0fbecbffe60a',
    '0005-look-ups 223a90cf4e9ad6a7',
    '0006-attempts 5b5dd23a147c2124',
    '0007-put-off 6aefb2e4b599851c',
    '0008-run-driven 464ad943ce464f6f',
    '0009-question-by d036ecf14160972b',
    '0010-variables-by-environment 2f47610afc3f2480',
    '0011-inbox-changes 451f3be623e8cec2',
    '0012-domains 884a53029c7d6be4',
    '0013-inbound-mails 05d64df20771fe98',
    '0014-lists 4b00e8b8d6bc487b',
    '0015-one-queue 7b62a3567d00ba2a',
    '0016-hand-overs 5756386ee671bba5',
    '0017-events 0144e1436a6226bc',
    '0018-delivery-hand-overs 5387c3704916a8f6',
    '0019-people a27c732208d38a9b',
    '0020-control-versions e50ed856018220bd',
    '0021-webhooks 807c59209ba4be03',
    '0022-retries 0f3a102f443bf3fe',
    // Its index was moved to `indexes` before the first release: the same index, built without blocking writes.
    '0023-delivery-reports a7b38eaa203cf887',
    '0024-cancel-on 47c812e0473ec907',
    '0025-traces 4066c3fe3a960257',
    '0026-children 960bddf935d9a877',
    '0027-descendants 91ccdef69091522d',
    '0028-bulk-runs 91ad22decf4e8e59',
    '0029-look-backs eea7374f31341fc9',
    '0030-environment-rows 5b56013071a99464',
    '0031-old-deliveries 4c9e3b74b69c84f4',
    '0032-last-failures 4ef59bcc88435d2e',
    '0033-unread-counts 2b344ff509ddb48a',
    '0034-owners 14b3a661c1f99532',
  ])
})
