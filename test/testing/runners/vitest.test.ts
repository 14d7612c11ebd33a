import { expect, test } from 'vitest'
import { body } from './body.mjs'

body(test, expect)
