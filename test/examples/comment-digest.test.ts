import { testBridge } from '@trestle/testing'
import '@trestle/testing/vitest'
import { expect, test } from 'vitest'
import { workflows } from '../../examples/workflows/src/index.ts'

const bridge = testBridge({ workflows, replay: 'every-step' })
const comment = (author: string, postId = 'p1') => ({ postId, postTitle: 'Bridges', author, text: 'Nice!' })

test('sends the comments from ten minutes in one email', async () => {
  const run = await bridge.run('comment-digest', {
    payload: comment('Ada'),
    triggers: [
      { payload: comment('Bob'), afterMs: 600_000 },
      { payload: comment('Eve'), afterMs: 600_001 },
      { payload: comment('Dan', 'p2'), afterMs: 1000 },
    ],
  })
  expect(run).toHaveSent('email', {
    subject: '2 new comments on Bridges',
    body: '<ul><li>Ada: Nice!</li><li>Bob: Nice!</li></ul>',
  })
  expect(run.others.map(({ status }) => status)).toEqual(['merged', 'completed', 'completed'])
})
