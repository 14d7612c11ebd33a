import { expect, test } from '@jest/globals'
import '@trestle/testing/jest'
import { body } from './body.mjs'

body(test, expect)
