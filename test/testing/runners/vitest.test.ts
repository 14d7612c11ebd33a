import { expect, test } from 'vitest'
import '@trestle/testing/vitest'
import { body } from './body.mjs'

body(test, expect)
