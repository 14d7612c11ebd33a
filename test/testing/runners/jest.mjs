import { expect, test } from '@jest/globals'
import { body } from './body.mjs'

body(test, expect)
