import { describe, expect, it } from 'vitest'
import { toSmsSegments } from './sms-segments.ts'

describe('the segments of an SMS', () => {
  it.each([
    ['', 'GSM-7', 1],
    ['a'.repeat(160), 'GSM-7', 1],
    ['a'.repeat(161), 'GSM-7', 2],
    ['a'.repeat(306), 'GSM-7', 2],
    ['a'.repeat(307), 'GSM-7', 3],
    ['€'.repeat(80), 'GSM-7', 1],
    ['€'.repeat(81), 'GSM-7', 2],
    // An escaped character is never split across parts: 76 of them fit into a part of 153.
    ['€'.repeat(152), 'GSM-7', 2],
    ['€'.repeat(153), 'GSM-7', 3],
    ['ç', 'UCS-2', 1],
    ['é', 'GSM-7', 1],
    ['ы'.repeat(70), 'UCS-2', 1],
    ['ы'.repeat(71), 'UCS-2', 2],
    ['ы'.repeat(134), 'UCS-2', 2],
    ['ы'.repeat(135), 'UCS-2', 3],
    ['😀'.repeat(35), 'UCS-2', 1],
    ['😀'.repeat(36), 'UCS-2', 2],
    ['😀'.repeat(66), 'UCS-2', 2],
    ['😀'.repeat(67), 'UCS-2', 3],
  ] as const)('are counted for %j (row %#)', (text, alphabet, count) => {
    expect(toSmsSegments(text)).toEqual({ alphabet, count })
  })
})
