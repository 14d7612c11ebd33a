/// <reference types="bun-types/test.d.ts" />
import { expect } from 'bun:test'
import type { ConversationMatchers } from './matchers/conversation-matchers.ts'
import { matchers } from './matchers/matchers.ts'
import type { RunMatchers } from './matchers/run-matchers.ts'

declare module 'bun:test' {
  interface Matchers<T> extends RunMatchers, ConversationMatchers {}
}

expect.extend(matchers as unknown as Parameters<typeof expect.extend>[0])
