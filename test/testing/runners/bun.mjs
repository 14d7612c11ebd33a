import { expect, test } from 'bun:test'
import { body } from './body.mjs'

body(test, expect)
