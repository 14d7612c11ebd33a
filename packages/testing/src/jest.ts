import { expect } from '@jest/globals'
import type { ConversationMatchers } from './matchers/conversation-matchers.ts'
import { matchers } from './matchers/matchers.ts'
import type { RunMatchers } from './matchers/run-matchers.ts'

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends RunMatchers<R>, ConversationMatchers<R> {}
}

expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0])
