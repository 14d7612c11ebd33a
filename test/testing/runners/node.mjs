import { test } from 'node:test'
import { body } from './body.mjs'

body(test)
