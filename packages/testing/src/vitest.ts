import { expect } from 'vitest'
import type { ConversationMatchers } from './matchers/conversation-matchers.ts'
import { matchers } from './matchers/matchers.ts'
import type { RunMatchers } from './matchers/run-matchers.ts'

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the interface that is added to is written so.
  interface Matchers<T = any> extends RunMatchers, ConversationMatchers {}
}

expect.extend(matchers)
