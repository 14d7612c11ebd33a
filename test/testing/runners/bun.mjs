import { expect, test } from 'bun:test'
import '@trestle/testing/bun'
import { body } from './body.mjs'

body(test, expect)
